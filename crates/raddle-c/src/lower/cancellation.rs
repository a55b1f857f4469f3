//! Cancellation points: which functions of the library are one, by POSIX.1-2017, 2.9.5.2. What happens there is in `prelude/cancellation.c`.
//!
//! Functions that wait for conditions are not here: they have the mutex again when they act, which their models see to.

use super::Lower;
use super::builder::Builder;
use crate::driver::LIBRARY;
use crate::error::Result;
use crate::hir::FnId;

/// A thread that was asked to end does so in these.
const POINTS: &str = "accept close connect creat fdatasync fsync mq_receive mq_send mq_timedreceive mq_timedsend msgrcv msgsnd msync nanosleep open \
    openat pause poll ppoll pread pselect pwrite read readv recv recvfrom recvmsg select sem_wait send sendmsg sendto sigsuspend sigtimedwait sigwait \
    sigwaitinfo sleep tcdrain usleep wait waitid waitpid write writev";

/// In these it may. Some are points by POSIX, but glibc acts only where they really wait (a join of a thread that has ended does not); C11's are not said to be
/// points, and glibc's are.
const POSSIBLE_POINTS: &str = "access aio_suspend asctime_r catclose catgets catopen chmod chown closedir clock_nanosleep closelog ctermid ctime ctime_r \
    dlclose dlopen dprintf endgrent endhostent endnetent endprotoent endpwent endservent endutxent err errx faccessat fchmod fchmodat fchown fchownat \
    fclose fcntl fdopen fdopendir fflush fgetc fgetpos fgets fgetwc fgetws fmtmsg fopen fpathconf fprintf fputc fputs fputwc fputws \
    fread freopen fscanf fseek fseeko fsetpos fstat fstatat ftell ftello ftw futimens fwprintf fwrite fwscanf getaddrinfo getc \
    getc_unlocked getchar getchar_unlocked getcwd getdate getdelim getgrent getgrgid getgrgid_r getgrnam getgrnam_r gethostent gethostid \
    gethostname getline getlogin getlogin_r getnameinfo getpwent getpwnam getpwnam_r getpwuid getpwuid_r getmsg getpmsg getservbyname getservbyport getwc getwchar glob \
    iconv_close iconv_open ioctl link linkat lio_listio localtime localtime_r lockf lseek lstat mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat \
    mkstemp mktime nftw opendir openlog pathconf pclose perror popen posix_fadvise posix_fallocate posix_madvise posix_openpt posix_spawn posix_spawnp \
    printf psiginfo psignal pthread_clockjoin_np pthread_join pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock pthread_rwlock_rdlock pthread_rwlock_timedrdlock \
    pthread_rwlock_timedwrlock pthread_rwlock_wrlock pthread_timedjoin_np putc putc_unlocked putchar putchar_unlocked puts putmsg putpmsg pututxline putwc putwchar readdir readdir_r readlink \
    readlinkat remove rename renameat rewind rewinddir rmdir scanf seekdir sem_clockwait sem_timedwait semop setgrent sethostent setnetent setprotoent setpwent setservent \
    setutxent sigpause stat strerror strerror_l strerror_r strftime strftime_l symlink symlinkat sync syslog system thrd_join thrd_sleep tmpfile ttyname ttyname_r tzset ungetc \
    ungetwc unlink unlinkat utime utimensat utimes verr verrx vdprintf vfprintf vfscanf vfwprintf vfwscanf vprintf vscanf vsyslog vwarn vwarnx vwprintf vwscanf warn warnx \
    wcsftime wordexp wprintf wscanf __isoc99_scanf __isoc99_fscanf __isoc23_scanf __isoc23_fscanf";

fn is_among(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|n| n == name)
}

impl Lower<'_> {
    /// What is called at the beginning of a function of the library.
    pub(super) fn cancellation_calls(&self, id: FnId) -> Vec<FnId> {
        let Some((point, perhaps)) = self.cancel_functions else { return vec![] };
        let function = self.hir_function(id);
        let file = self.sources.span(function.pos).file;
        let is_library = || self.sources.files.get(file.0 as usize).is_some_and(|file| file == LIBRARY);
        match function.name.as_str() {
            _ if function.body.is_some() && !is_library() => vec![],
            name if is_among(POINTS, name) => vec![point, perhaps],
            name if is_among(POSSIBLE_POINTS, name) => vec![perhaps],
            _ => vec![],
        }
    }
}

impl Builder<'_, '_> {
    pub(super) fn cancellation_point(&mut self, id: FnId) -> Result<()> {
        for call in self.cx.cancellation_calls(id) {
            self.prelude_call(call, vec![])?;
        }
        Ok(())
    }
}
