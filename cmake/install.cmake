# What `make install` puts where: the library and its headers, the CMake package and the pkg-config
# file, the program, the docs, and the scenarios to read (the program carries its own copy of them).

include(CMakePackageConfigHelpers)
set(CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/throng)

install(TARGETS throng EXPORT throngTargets)
install(DIRECTORY include/throng DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

install(EXPORT throngTargets NAMESPACE throng:: DESTINATION ${CMAKE_DIR})
configure_package_config_file(cmake/throngConfig.cmake.in throngConfig.cmake INSTALL_DESTINATION ${CMAKE_DIR})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(throngConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/throngConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/throngConfigVersion.cmake
    DESTINATION ${CMAKE_DIR})

# A static library leaves its dependencies to those who link it, so there they are not private.
set(PC_PRIVATE "")
set(PC_LIBS " -pthread -lm")
set(PC_LIBS_PRIVATE "")
if(BUILD_SHARED_LIBS)
    set(PC_PRIVATE ".private")
    set(PC_LIBS "")
    set(PC_LIBS_PRIVATE " -pthread -lm")
endif()
set(PC_ENGINE "")
if(THRONG_BODIES)
    set(PC_ENGINE " ode")
endif()
file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PC_PREFIX ${PC_PREFIX})
configure_file(cmake/throng.pc.in throng.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/throng.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET throng_program)
    file(RELATIVE_PATH LIB_FROM_BIN /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(throng_program PROPERTIES INSTALL_RPATH "$ORIGIN/${LIB_FROM_BIN}")
    install(TARGETS throng_program)
endif()
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/throng)
# What `throng export --live` puts into its pages, when `make web` has built it.
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/web/site/throng.wasm.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/throng OPTIONAL)
