#include "tools/loopsim/io/sandbox.hpp"

#if defined(__linux__)
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace loopsim::cli {

bool is_sandbox_default() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
  return false;
#else
  return true;
#endif
#else
  return true;
#endif
}

#if defined(__linux__)
namespace {

// ---- Landlock: which files -------------------------------------------------------------------------------------------------------

// Of linux/landlock.h, which older systems lack, or have without what newer kernels do. The numbers of the calls are the same on all
// architectures.
namespace landlock {

constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint32_t kAskVersion = 1;
constexpr int kPathBeneath = 1;

struct Ruleset {
  std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed;
  std::int32_t parent;
};

enum Access : std::uint64_t {
  execute = 1U << 0U,
  write_file = 1U << 1U,
  read_file = 1U << 2U,
  read_folder = 1U << 3U,
  remove_file = 1U << 5U,
  make_file = 1U << 8U,
  refer = 1U << 13U,
  truncate = 1U << 14U,
  control_device = 1U << 15U,
};
constexpr std::uint64_t kFirst = (std::uint64_t{1} << 13U) - 1;  // those of version 1
constexpr std::uint64_t kOfFiles = execute | write_file | read_file | truncate | control_device;

}  // namespace landlock

class FileRules {
 public:
  FileRules() {
    using namespace landlock;
    const auto version = ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
    if (version < 1) return;
    Ruleset handled = {kFirst, 0, 0};
    std::size_t size = sizeof handled.files;
    if (version >= 2) handled.files |= refer;
    if (version >= 3) handled.files |= truncate;
    if (version >= 4) handled.network = 3, size = offsetof(Ruleset, scopes);  // bind and connect of TCP
    if (version >= 5) handled.files |= control_device;
    if (version >= 6) handled.scopes = 3, size = sizeof handled;  // abstract sockets and signals to the outside
    handled_ = handled.files;
    ruleset_ = static_cast<int>(::syscall(kCreateRuleset, &handled, size, 0));
  }
  ~FileRules() {
    if (ruleset_ >= 0) ::close(ruleset_);
  }
  FileRules(const FileRules&) = delete;
  FileRules& operator=(const FileRules&) = delete;

  void allow(const std::vector<std::string>& paths, std::uint64_t access) const {
    for (const std::string& path : paths) allow(path, access);
  }

  // False: it cannot be had.
  [[nodiscard]] bool apply() const { return ruleset_ >= 0 && ::syscall(landlock::kRestrictSelf, ruleset_, 0) == 0; }

 private:
  void allow(const std::string& path, std::uint64_t access) const {
    if (ruleset_ < 0) return;
    const int file = ::open(path.empty() ? "." : path.c_str(), O_PATH | O_CLOEXEC);
    struct stat status {};
    if (file < 0) return;
    if (::fstat(file, &status) == 0) {
      if (!S_ISDIR(status.st_mode)) access &= landlock::kOfFiles;
      const landlock::PathBeneath rule = {access & handled_, file};
      static_cast<void>(::syscall(landlock::kAddRule, ruleset_, landlock::kPathBeneath, &rule, 0));
    }
    ::close(file);
  }

  int ruleset_ = -1;
  std::uint64_t handled_ = 0;
};

bool guard_files(const SandboxRules& rules) {
  using namespace landlock;
  const FileRules files;
  // Of this process: its own program, which holds worlds to begin from, and which of its pages have been written.
  const std::vector<std::string> own = {"/proc/self/exe", "/proc/self/pagemap", "/proc/self/maps",
                                        "/sys/devices/system/cpu"};
  files.allow(own, read_file | read_folder);
  files.allow(rules.reads, read_file | read_folder);
  files.allow(rules.writes, write_file | truncate | control_device);
  files.allow(rules.makes, write_file | truncate | make_file | remove_file);
  files.allow(rules.runs, read_file | read_folder | execute);
  return files.apply();
}

// ---- seccomp: which calls --------------------------------------------------------------------------------------------------------

#if defined(__x86_64__)
#define LOOPSIM_AUDIT_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define LOOPSIM_AUDIT_ARCH AUDIT_ARCH_AARCH64
#endif

#if defined(LOOPSIM_AUDIT_ARCH)

// Other programs.
constexpr long kStarts[] = {
    SYS_execve,
    SYS_execveat,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
};

// Other machines, and other processes of this one.
constexpr long kTalks[] = {SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen};
constexpr long kAnswers[] = {SYS_accept,   SYS_accept4,  SYS_sendto,  SYS_sendmsg,
                             SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg};

// What no command needs: of other processes, of the machine, of files that Landlock does not look at, and doors to the kernel.
constexpr long kNeverNeeded[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
#ifdef SYS_pidfd_open
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
#ifdef SYS_fsopen
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
#endif
#ifdef SYS_mount_setattr
    SYS_mount_setattr,
#endif
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_fanotify_init,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
#endif
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
    SYS_personality,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_fchown,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_utimensat,
    SYS_truncate,
    SYS_symlinkat,
    SYS_mknodat,
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_symlink,
    SYS_mknod,
#endif
    452,  // fchmodat2
    SYS_shmget,
    SYS_shmat,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
};

class CallFilter {
 public:
  explicit CallFilter(bool starts_programs) : starts_programs_(starts_programs) {
    constexpr std::uint32_t kOther = SECCOMP_RET_ERRNO | ENOSYS;
    load(offsetof(seccomp_data, arch));
    add({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, LOOPSIM_AUDIT_ARCH});
    give(kOther);
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    constexpr std::uint32_t kFirstOfX32 = 0x40000000;
    add({BPF_JMP | BPF_JGE | BPF_K, 0, 1, kFirstOfX32});
    give(kOther);
#endif
  }

  void refuse(std::span<const long> calls) {
    for (const long call : calls) {
      add({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<std::uint32_t>(call)});
      give(kRefused);
    }
  }

  // False: it cannot be had.
  bool apply() {
    if (!starts_programs_) {
      // Threads, but no processes. Of clone3() a filter does not see what is asked; the C library then takes the other.
      add({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 435});
      give(SECCOMP_RET_ERRNO | ENOSYS);
      unless(SYS_clone, 0, BPF_JSET, CLONE_THREAD);
      // Signals to itself: raise().
      unless(SYS_tgkill, 0, BPF_JEQ, static_cast<std::uint32_t>(::getpid()));
    }
    // Letters that are typed into the user's terminal.
    when(SYS_ioctl, 1, TIOCSTI);
    when(SYS_ioctl, 1, TIOCLINUX);
    give(SECCOMP_RET_ALLOW);
    const sock_fprog filter = {static_cast<unsigned short>(rules_.size()), rules_.data()};
    // Without the slower speculation that older kernels turn on along with a filter.
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0 ||
           ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
  }

 private:
  static constexpr std::uint32_t kRefused = SECCOMP_RET_ERRNO | EPERM;

  void add(sock_filter rule) { rules_.push_back(rule); }
  void load(std::size_t offset) { add({BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)}); }
  void give(std::uint32_t answer) { add({BPF_RET | BPF_K, 0, 0, answer}); }
  // Looks at the lower half of an argument of this call; refuses it unless the comparison holds.
  void unless(long call, int argument, unsigned comparison, std::uint32_t value) {
    look(call, argument, comparison, value, SECCOMP_RET_ALLOW, kRefused);
  }
  void when(long call, int argument, std::uint32_t value) {
    add({BPF_JMP | BPF_JEQ | BPF_K, 0, 4, static_cast<std::uint32_t>(call)});
    load(low_half(argument));
    add({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value});
    give(kRefused);
    load(offsetof(seccomp_data, nr));
  }
  void look(long call, int argument, unsigned comparison, std::uint32_t value, std::uint32_t then,
            std::uint32_t otherwise) {
    add({BPF_JMP | BPF_JEQ | BPF_K, 0, 4, static_cast<std::uint32_t>(call)});
    load(low_half(argument));
    add({static_cast<std::uint16_t>(BPF_JMP | comparison | BPF_K), 0, 1, value});
    give(then);
    give(otherwise);
  }
  static std::size_t low_half(int argument) {
    return offsetof(seccomp_data, args) + static_cast<std::size_t>(argument) * sizeof(std::uint64_t);
  }

  bool starts_programs_;
  std::vector<sock_filter> rules_ = {};
};

bool guard_calls(const SandboxRules& rules) {
  CallFilter filter(!rules.runs.empty());
  if (rules.runs.empty()) filter.refuse(kStarts);
  filter.refuse(kTalks);
  if (!rules.answers) filter.refuse(kAnswers);
  filter.refuse(kNeverNeeded);
  return filter.apply();
}

#else
bool guard_calls(const SandboxRules& /*rules*/) { return false; }
#endif

}  // namespace

Sandbox shut_in(const SandboxRules& rules) {
  Sandbox sandbox;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return sandbox;
  sandbox.guards_files = guard_files(rules);
  sandbox.guards_calls = guard_calls(rules);
  return sandbox;
}

#else

Sandbox shut_in(const SandboxRules& /*rules*/) { return {}; }

#endif

}  // namespace loopsim::cli
