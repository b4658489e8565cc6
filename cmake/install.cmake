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
set(PC_REQUIRES " sqlite3 libzstd libpng zlib")
if(THRONG_CORE_ONLY)
    set(PC_REQUIRES "")
elseif(THRONG_BODIES)
    string(APPEND PC_REQUIRES " ode")
endif()
file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" PC_PREFIX ${PC_PREFIX})
configure_file(cmake/throng.pc.in throng.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/throng.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET throng_program)
    file(RELATIVE_PATH LIB_FROM_BIN /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(throng_program PROPERTIES INSTALL_RPATH "$ORIGIN/${LIB_FROM_BIN}")
    install(TARGETS throng_program)
    add_custom_command(OUTPUT throng.1
        COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/tools/manpage $<TARGET_FILE:throng_program> throng.1
        DEPENDS throng_program tools/manpage VERBATIM)
    add_custom_target(manual ALL DEPENDS throng.1)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/throng.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES tools/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME throng)
    install(FILES cmake/throng.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
endif()
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/throng)
# What `throng export --live` puts into its pages, when `make web` has built it.
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/web/site/throng.wasm.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/throng OPTIONAL)

# `make package`: all of it as a package for Debian.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The Throng developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "crowd simulator: seven models of walking people, library and program")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Simulates crowds of people by the models of five papers and their baselines, in one
 world: runs, measures, compares and shows them in the browser, with the library to link into programs.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS fonts-dejavu-core)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
include(CPack)
