/* Texts for errors and signals: any, but the same for the same number. Those that the library does not know have one text for each thread. */

static char *__raddle_messages[200];
static __thread char __raddle_unknown[64];

static char *__raddle_message(int number)
{
  if (number < 0) {
    __raddle_any_text(__raddle_unknown, sizeof __raddle_unknown);
    __VERIFIER_assume(__raddle_unknown[0] != 0);
    return __raddle_unknown;
  }
  __VERIFIER_atomic_begin();
  char *message = __raddle_messages[number];
  if (!message) {
    message = malloc(64);
    __raddle_any_text(message, 64);
    __VERIFIER_assume(message[0] != 0);
    __raddle_messages[number] = message;
  }
  __VERIFIER_atomic_end();
  return message;
}

static int __raddle_is_error(int error) { return error >= 0 && error < 134 && error != 41 && error != 58; }

char *strerror(int error) { return __raddle_message(__raddle_is_error(error) ? error : -1); }
char *strerror_l(int error, void *locale) { return strerror(error); }
char *strsignal(int signal) { return __raddle_message(signal > 0 && signal < 65 ? 134 + signal : -1); }

/* X/Open's variant. */
int __xpg_strerror_r(int error, char *to, size_t room)
{
  const char *text = strerror(error);
  size_t n = strlen(text);
  if (room > 0) {
    memcpy(to, text, n < room ? n : room - 1);
    to[n < room ? n : room - 1] = 0;
  }
  return !__raddle_is_error(error) && (n < room || __VERIFIER_nondet_bool()) ? 22 : n < room ? 0 : 34;
}

/* GNU's: only what is not known needs the memory of the caller. */
char *strerror_r(int error, char *to, size_t room)
{
  if (__raddle_is_error(error))
    return strerror(error);
  __xpg_strerror_r(error, to, room);
  return to;
}

/* The signals that have a name in all versions. */
const char *sigdescr_np(int signal) { return signal >= 1 && signal <= 31 ? strsignal(signal) : 0; }

const char *sigabbrev_np(int signal)
{
  static const char names[31][8] = {
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT",
    "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR", "SYS",
  };
  return signal >= 1 && signal <= 31 ? names[signal - 1] : 0;
}

const char *strerrordesc_np(int error) { return __raddle_is_error(error) ? strerror(error) : 0; }

const char *strerrorname_np(int error)
{
  static const char *const names[134] = {
    "0",
    "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC", "EBADF", "ECHILD", "EAGAIN", "ENOMEM", "EACCES", "EFAULT", "ENOTBLK",
    "EBUSY", "EEXIST", "EXDEV", "ENODEV", "ENOTDIR", "EISDIR", "EINVAL", "ENFILE", "EMFILE", "ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE",
    "EROFS", "EMLINK", "EPIPE", "EDOM", "ERANGE", "EDEADLK", "ENAMETOOLONG", "ENOLCK", "ENOSYS", "ENOTEMPTY", "ELOOP", 0, "ENOMSG", "EIDRM", "ECHRNG",
    "EL2NSYNC", "EL3HLT", "EL3RST", "ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT", "EBADE", "EBADR", "EXFULL", "ENOANO", "EBADRQC", "EBADSLT", 0, "EBFONT",
    "ENOSTR", "ENODATA", "ETIME", "ENOSR", "ENONET", "ENOPKG", "EREMOTE", "ENOLINK", "EADV", "ESRMNT", "ECOMM", "EPROTO", "EMULTIHOP", "EDOTDOT",
    "EBADMSG", "EOVERFLOW", "ENOTUNIQ", "EBADFD", "EREMCHG", "ELIBACC", "ELIBBAD", "ELIBSCN", "ELIBMAX", "ELIBEXEC", "EILSEQ", "ERESTART", "ESTRPIPE",
    "EUSERS", "ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE", "EPROTOTYPE", "ENOPROTOOPT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT", "EOPNOTSUPP", "EPFNOSUPPORT",
    "EAFNOSUPPORT", "EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH", "ENETRESET", "ECONNABORTED", "ECONNRESET", "ENOBUFS", "EISCONN",
    "ENOTCONN", "ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED", "EHOSTDOWN", "EHOSTUNREACH", "EALREADY", "EINPROGRESS", "ESTALE", "EUCLEAN",
    "ENOTNAM", "ENAVAIL", "EISNAM", "EREMOTEIO", "EDQUOT", "ENOMEDIUM", "EMEDIUMTYPE", "ECANCELED", "ENOKEY", "EKEYEXPIRED", "EKEYREVOKED",
    "EKEYREJECTED", "EOWNERDEAD", "ENOTRECOVERABLE", "ERFKILL", "EHWPOISON",
  };
  return error >= 0 && error < 134 ? names[error] : 0;
}
