/* SPDX-License-Identifier: MIT */
/* System calls of a stopped process on x86-64. Another architecture is another such file. */
#ifndef TESTS_FAULT_CALLS_X86_64_H
#define TESTS_FAULT_CALLS_X86_64_H

#include <errno.h>
#include <linux/audit.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/user.h>

enum { ARCH_AUDIT = AUDIT_ARCH_X86_64, ARCH_ARGUMENTS = 6 };

struct arch_call {
	struct user_regs_struct registers;
	long number;
	uint64_t at; /* where the instruction is */
	uint64_t arguments[ARCH_ARGUMENTS];
};

/* At the stop that the filter asked for, before the call. */
static inline bool arch_get_call(pid_t pid, struct arch_call *call)
{
	struct user_regs_struct *registers = &call->registers;

	if (ptrace(PTRACE_GETREGS, pid, NULL, registers))
		return false;
	call->number = (long)registers->orig_rax;
	call->at = registers->rip;
	call->arguments[0] = registers->rdi;
	call->arguments[1] = registers->rsi;
	call->arguments[2] = registers->rdx;
	call->arguments[3] = registers->r10;
	call->arguments[4] = registers->r8;
	call->arguments[5] = registers->r9;
	return true;
}

/* The call is not made and returns -error. */
static inline bool arch_fail_call(pid_t pid, struct arch_call *call, int error)
{
	call->registers.orig_rax = (unsigned long long)-1;
	call->registers.rax = (unsigned long long)-error;
	return !ptrace(PTRACE_SETREGS, pid, NULL, &call->registers);
}

/* At the stop behind the call. */
static inline bool arch_set_result(pid_t pid, struct arch_call *call, long result)
{
	call->registers.rax = (unsigned long long)result;
	return !ptrace(PTRACE_SETREGS, pid, NULL, &call->registers);
}

/* The call is made with another third argument: the size of reads and writes. */
static inline bool arch_set_size(pid_t pid, struct arch_call *call, uint64_t size)
{
	call->registers.rdx = size;
	return !ptrace(PTRACE_SETREGS, pid, NULL, &call->registers);
}

#endif
