/* unit_record_tables.c: text formats of other tools: what they look like, what is read, what is refused. */

#include "record_common.h"

static throng_recording *open_text(const char *name, const char *text, double fps, throng_error *error) {
    throng_recording_def def = throng_default_recording_def();
    def.path = path_of(name);
    def.fps = fps;
    write_text(def.path, text);
    return throng_recording_open_with(&def, error);
}

typedef struct example {
    const char *name, *text;
    double fps; /* told; 0: not */
    double found_fps;
    size_t frame, count; /* a frame and how many are in it */
    throng_agent id;     /* the first of them */
    double x, y;
} example;

static const example examples[] = {
    {"jupedsim.csv", "frame,id,pos_x,pos_y\n0,3,1.5,2\n1,3,1.6,2\n0,1,0,0\n", 25, 25, 1, 1, 3, 1.6, 2},
    {"crowdit.csv", "time,pedID,posX,posY\n0.0,0,4,5\n0.4,0,4.5,5\n0.8,0,5,5\n0.8,1,9,9\n", 0, 2.5, 2, 2, 0, 5, 5},
    {"pathfinder.csv",
     "\"t\",\"id\",\"name\",\"active\",\"x\",\"y\",\"z\",\"v\"\n\"s\",\"\",\"\",\"\",\"m\",\"m\",\"m\",\"m/s\"\n"
     "0.00,7,\"A, B\",1,1.25,2.5,0,0\n0.25,7,\"A, B\",1,1.5,2.5,0,1\n0.50,7,\"A, B\",1,1.75,2.5,0,1\n",
     0, 4, 1, 1, 7, 1.5, 2.5},
    {"feet.csv", "t,id,x,y\ns,,ft,ft\n0,1,10,0\n1,1,20,0\n", 0, 1, 1, 1, 1, 6.096, 0},
    /* 30 a second, rounded to hundredths, with a moment left out. */
    {"rounded.csv", "time,id,x,y\n0.00,1,0,0\n0.03,1,1,0\n0.07,1,2,0\n0.13,1,4,0\n0.17,1,5,0\n0.20,1,6,0\n", 0, 30, 4,
     1, 1, 4, 0},
    {"semicolons.txt", "id;frame;x;y\n5;0;1;2\n", 10, 10, 0, 1, 5, 1, 2},
    {"run.pp",
     "$VISION\n* a comment\n$VERSION:LANGUAGE\n4.0;EN\n$PEDESTRIAN:NO;SIMSEC;COORDCENTX;COORDCENTY\n"
     "1;0.20;0.5;1.5\n1;0.40;0.7;1.5\n2;0.40;9;9\n",
     0, 5, 2, 2, 1, 0.7, 1.5},
    {"run.traj",
     "#IDXCOL=2,DATACOL=6,SEP=' '\npedestrianId simTime endTime-PID1 startX-PID1 startY-PID1 endX-PID1 endY-PID1 "
     "targetId-PID2\n1 0.0 0.4 0 0 0.8 0 2\n1 0.6 1.0 0.8 0 1.6 0 2\n",
     0, 10, 2, 1, 1, 0.4, 0},
    {"run.traj", "pedestrianId simTime endTime startX startY endX endY\n4 0.5 1.0 1 1 2 3\n", 2, 2, 1, 1, 4, 1, 1},
    {"scene.ndjson",
     "{\"scene\": {\"id\": 0, \"p\": 1, \"s\": 0, \"e\": 20, \"fps\": 2.5, \"tag\": [2, [1]]}}\n"
     "{\"track\": {\"f\": 0, \"p\": 1, \"x\": 13.2, \"y\": 5.85}}\n{\"track\": {\"f\": 10, \"p\": 1, \"x\": 14, \"y\": "
     "6}}\n"
     "{\"track\": {\"f\": 20, \"p\": 1, \"x\": 1, \"y\": 1, \"prediction_number\": 0, \"scene_id\": 0}}\n"
     "{\"track\": {\"f\": 20, \"p\": 9, \"x\": 2, \"y\": -2, \"prediction_number\": null}}\n",
     0, 25, 20, 1, 9, 2, -2},
    {"fcd.xml",
     "<?xml version=\"1.0\"?>\n<!-- <person id=\"no\"/> -->\n<fcd-export>\n <timestep time=\"0.00\">\n"
     "  <vehicle id=\"car\" x=\"1\" y=\"1\"/>\n  <person id=\"4\" x='1.5' y=\"-2\" angle=\"90.00\"/>\n </timestep>\n"
     " <timestep time=\"0.50\"/>\n <timestep time=\"1.00\"><person y=\"3\" x=\"2\" "
     "id=\"4\"/></timestep>\n</fcd-export>\n",
     0, 2, 2, 1, 4, 2, 3},
    {"fcd.xml", "<fcd-export><timestep time=\"0\"><vehicle id=\"0\" x=\"1\" y=\"2\"/></timestep></fcd-export>", 5, 5, 0,
     1, 0, 1, 2},
    {"run.trajectories", "timeStep pedestrianId x y targetId\n1 4 2.5 3 2\n2 4 3.1 3 2\n", 0, 2.5, 2, 1, 4, 3.1, 3},
    {"run.trajectories", "timeStep pedestrianId x-PID1 y-PID1\n1 4 2.5 3\n", 5, 5, 1, 1, 4, 2.5, 3},
    /* Not in steps: as often as people are seen, and even between their rows; those asked for; before zero. */
    {"irregular.csv", "time,id,x,y\n0,1,0,0\n0.5,1,2,0\n1,1,3,0\n1.43,1,3,0\n2.9,1,3,5.88\n0.775,2,1,1\n1.275,2,2,1\n",
     0, 2, 4, 1, 1, 3, 2.28},
    {"irregular.csv", "time,id,x,y\n0,1,0,0\n1,1,2,0\n1.43,1,3,0\n2.9,1,3,6\n", 4, 4, 3, 1, 1, 1.5, 0},
    {"irregular.csv", "time,id,x,y\n-1,1,0,0\n0,1,2,0\n0.43,1,3,0\n1.9,1,3,6\n", 1, 1, 1, 1, 1, 2, 0},
    /* What the ending does not say, the first bytes do. */
    {"wrong.txt", "<fcd-export><timestep time=\"0\"><person id=\"2\" x=\"1\" y=\"2\"/></timestep></fcd-export>", 5, 5,
     0, 1, 2, 1, 2},
    {"nothing.dat", "780 1 8.5 0 3.5 1 0 1\n786 1 9.5 0 3.5 1 0 1\n", 0, 15, 786, 1, 1, 9.5, 3.5},
    {"old.txt", "# framerate: 8\n# x/cm\n1 0 150 200\n", 0, 8, 0, 1, 1, 1.5, 2},
};

static void examples_are_read(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const example *e = &examples[k];
        throng_error error = {0};
        throng_recording *recording = open_text(e->name, e->text, e->fps, &error);
        if (!recording) fail_msg("%s (%zu): %s", e->name, k, error.text);
        throng_frame frame;
        assert_near(throng_recording_info_of(recording).fps, e->found_fps, 1e-9);
        assert_true(throng_recording_frame(recording, e->frame, &frame, &error));
        if (frame.count != e->count) fail_msg("%s (%zu): %zu people", e->name, k, frame.count);
        assert_int_equal(frame.id[0], e->id);
        assert_near(frame.x[0], e->x, 1e-9);
        assert_near(frame.y[0], e->y, 1e-9);
        throng_recording_close(recording);
    }
}

/* A text packed by gzip, of which the ending may say nothing; and one that is cut off. */
static void packed_texts_are_read(void **state) {
    (void)state;
    static const unsigned char packed[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0xc9,
                                           0xcc, 0x4d, 0xd5, 0xc9, 0x4c, 0xd1, 0xa9, 0xd0, 0xa9, 0xe4, 0x32, 0xd0,
                                           0x31, 0xd4, 0x31, 0xd0, 0x31, 0xe0, 0x32, 0x04, 0xd2, 0x46, 0x40, 0x1a,
                                           0x00, 0x19, 0xf1, 0xb2, 0x9a, 0x1c, 0x00, 0x00, 0x00};
    throng_error error = {0};
    const char *names[] = {"packed.csv.gz", "packed.csv"};
    for (int k = 0; k < 3; k++) {
        FILE *file = fopen(path_of(names[k % 2]), "wb");
        fwrite(packed, 1, sizeof packed - (k == 2 ? 9 : 0), file);
        fclose(file);
        throng_recording *recording = throng_recording_open(path_of(names[k % 2]), &error);
        if (k == 2) {
            assert_null(recording);
            assert_non_null(strstr(error.text, "damaged or cut off"));
            continue;
        }
        assert_non_null(recording);
        assert_int_equal(throng_recording_info_of(recording).frame_count, 2);
        throng_recording_close(recording);
    }
}

static void faults_are_told_with_their_line(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        int line;
        const char *word;
    } cases[] = {
        {"a.csv", "frame,id,pos_x,pos_y\n0,1,2,3\n", 1, "frame rate"},
        {"a.csv", "time,id,x\n", 1, "'y'"},
        {"a.csv", "id,x,y\n1,2,3\n", 1, "'frame' or 'time'"},
        {"a.csv", "time,id,x,y\n0,1,2,3\n1,1,abc,3\n", 3, "a number as x, found 'abc'"},
        {"a.csv", "time,id,x,y\n0,,2,3\n", 2, "an id, found nothing"},
        {"a.csv", "time,id,x,y\n0,1,2\n", 2, "a number as y, found the end of the line"},
        {"a.csv", "time,id,x,y\n0,1,2,nan\n", 2, "a number as y"},
        {"a.csv", "time,id,x,y\n", 0, "no row"},
        {"a.csv", "", 0, "nothing in it"},
        {"a.pp", "$VISION\n", 0, "$PEDESTRIAN"},
        {"a.pp", "$PEDESTRIAN:NO;SIMSEC;COORDCENTX;COORDCENTY\n1;x;2;3\n", 2, "as time"},
        {"a.traj", "pedestrianId simTime endTime startX startY endX\n", 1, "'endY'"},
        {"a.traj", "pedestrianId simTime endTime startX startY endX endY\n1 2 1 0 0 1 1\n", 2, "before it begins"},
        {"a.ndjson", "{\"track\": {\"f\": 0, \"p\": 1, \"x\": 1, \"y\": 2}}\n", 0, "fps"},
        {"a.ndjson", "{\"scene\": {\"fps\": 2}}\n{\"track\": {\"f\": 0, \"p\": 1, \"x\": NaN, \"y\": 2}}\n", 2, "as x"},
        {"a.ndjson", "{\"track\": {\"f\": 0, \"p\": 1, \"x\": 1}}\n", 1, "as y"},
        {"a.ndjson", "{\"track\": {\"f\": 0, \"p\": 1, \"x\": 1, \"y\": 1}\n", 1, "',' or '}'"},
        {"a.ndjson", "{\"track\": {\"f\": 0, \"p\": 1, \"x\": 1, \"y\": 1}}}\n", 1, "the end of the line"},
        {"a.ndjson", "{\"scene\": {\"fps\": -1}}\n", 1, "above 0"},
        {"a.xml", "<routes>\n</routes>\n", 0, "fcd-export"},
        {"a.xml", "<fcd-export>\n<timestep time=\"x\">\n", 2, "as time"},
        {"a.xml", "<fcd-export>\n<timestep time=\"0\">\n\n <person id=\"1\" x=\"0\"/>", 4,
         "a number as y, found nothing"},
        {"a.xml", "<fcd-export></fcd-export>", 0, "no row"},
        /* Broken in the middle: a quotation mark is missing, a timestep does not begin, one does not end. */
        {"a.xml",
         "<fcd-export>\n<timestep time=\"0\">\n<person id=\"1\" x=\"0\" y=\"0 />\n<person id=\"2\" x=\"0\" y=\"0\"/>\n"
         "</timestep>\n</fcd-export>",
         3, "ends before the next"},
        {"a.xml",
         "<fcd-export>\n<timestep time=\"0\"/>\n<timextep time=\"1\">\n<person id=\"1\" x=\"0\" "
         "y=\"0\"/>\n</timestep>\n",
         5, "to end here"},
        {"a.xml",
         "<fcd-export>\n<timestep time=\"0\">\n<person id=\"1\" x=\"0\" y=\"0\"/>\n</timextep>\n<timestep time=\"1\">",
         5, "the end of the timestep before"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        throng_error error = {0};
        throng_recording *recording = open_text(cases[k].name, cases[k].text, 0, &error);
        if (recording) fail_msg("case %zu is read", k);
        if (error.line != cases[k].line || !strstr(error.text, cases[k].word) || !strstr(error.text, cases[k].name))
            fail_msg("case %zu: %d: %s", k, error.line, error.text);
    }
}

/* Ids that are no numbers become some, and their texts stay with the people on the way through other formats. */
static void names_are_remembered(void **state) {
    (void)state;
    const char *text =
        "<fcd-export><timestep time=\"0\"><person id=\"ped_7\" x=\"1\" y=\"2\"/><person id=\"a&lt;b&amp;&quot;c\" "
        "x=\"3\" "
        "y=\"4\"/></timestep><timestep time=\"0.5\"><person id=\"ped_7\" x=\"1.5\" y=\"2\"/><person id=\"12\" x=\"5\" "
        "y=\"5\"/></timestep></fcd-export>";
    write_text(path_of("names.xml"), text);
    static const char *const ways[] = {"names.xml", "names.sqlite", "names.throng", "again.xml"};
    for (size_t k = 1; k < sizeof ways / sizeof *ways; k++) {
        throng_error error = {0};
        throng_recording *recording = throng_recording_open(path_of(ways[k - 1]), &error);
        if (!recording) fail_msg("%s", error.text);
        assert_int_equal(throng_recording_info_of(recording).agent_count, 3);
        assert_string_equal(throng_recording_agent_at(recording, 0).name, "ped_7");
        assert_string_equal(throng_recording_agent_at(recording, 1).name, "a<b&\"c");
        assert_string_equal(throng_recording_agent_at(recording, 2).name, "12");
        throng_convert_def def = throng_default_convert_def();
        def.path = path_of(ways[k]);
        if (!throng_recording_convert(recording, &def, NULL, &error)) fail_msg("%s", error.text);
        throng_recording_close(recording);
    }
    char *written = read_text(path_of("again.xml"));
    assert_non_null(strstr(written, "id=\"a&lt;b&amp;&quot;c\" x=\"3.000000\""));
    assert_non_null(strstr(written, "angle=\"90.00\" speed=\"1.00\""));
    free(written);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_are_read),
        cmocka_unit_test(packed_texts_are_read),
        cmocka_unit_test(faults_are_told_with_their_line),
        cmocka_unit_test(names_are_remembered),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
