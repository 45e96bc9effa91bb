/// Would run `destroy` when the thread ends. The only one there is lives as long as the module.
extern "C" int __cxa_thread_atexit(void (* /*destroy*/)(void*), void* /*object*/, void* /*module*/) {
  return 0;
}
