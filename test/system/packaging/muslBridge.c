/*
 * What GNU's C++ library asks of GNU's C library, and musl does not have. A musl system has a C++ library of its own;
 * with this, the test can use the one that Debian has.
 */
#include <stddef.h>
#include <sys/random.h>
#include <time.h>

unsigned int arc4random(void) {
  unsigned int value = 0;
  getrandom(&value, sizeof value, 0);
  return value;
}

size_t __strftime_l(char *text, size_t size, const char *format, const struct tm *time, locale_t locale) {
  return strftime_l(text, size, format, time, locale);
}

/* Destructors of threads do not run. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library) { return 0; }

/* "This object is not known": then C++ exceptions are not caught. The program throws none. */
int _dl_find_object(void *address, void *result) { return -1; }

char __libc_single_threaded = 0;
int __cpu_indicator_init(void) { return 0; }
unsigned int __cpu_model[4];
