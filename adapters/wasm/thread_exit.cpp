/// Would run `destroy` at the end of the thread. The only thread lives as long as the module.
extern "C" int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/, void* /*module*/) {
  return 0;
}
