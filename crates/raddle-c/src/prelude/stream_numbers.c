/* The descriptors of streams, for programs that look at descriptors. */

int __raddle_stream_number(_Bool is_pipe) { return __raddle_new_file(is_pipe, 1); }
void __raddle_stream_ends(int number) { __raddle_close_file(number); }
_Bool __raddle_is_no_number(int number) { return __raddle_is_free(number); }
