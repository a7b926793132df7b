// The kernel's information about a running process.

import { readFileSync, readdirSync } from 'node:fs';
import { until } from './until.mjs';

const PAGE = 4096; // of the machines that this runs on: x86-64, arm64 as Debian builds it
const TICK_MS = 10; // USER_HZ is 100 on all of them

/** Resident memory in bytes. */
export function residentBytes(pid) {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE;
}

/** User and system time of all threads so far, in ms. */
export function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

/** The text of a file of a process or thread; '' if it has ended. */
function textOf(file) {
  try {
    return readFileSync(`/proc/${file}`, 'latin1');
  } catch {
    return '';
  }
}

/** The processes that it has started and that have not ended. */
function childrenOf(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const lists = tasks.map((task) => textOf(`${pid}/task/${task}/children`));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/** Whether it is the program that reads and draws documents, and not a server that is about to
 *  become it: such a server waits for its child. */
const isHelper = (pid) => textOf(`${pid}/cmdline`) === 'stockact\0extract\0';

/**
 * Stops (SIGSTOP) the programs of a server that read and draw documents: such work waits until the
 * returned function is called, or until the server gives the program up after 10 s or more.
 */
export async function holdHelpers(pid) {
  const helpers = () => childrenOf(pid).filter(isHelper);
  const held = await until('a program reads documents', () => helpers().length > 0 && helpers());
  for (const helper of held) process.kill(helper, 'SIGSTOP');
  return () => {
    for (const helper of helpers().filter((one) => held.includes(one)))
      process.kill(helper, 'SIGCONT');
  };
}

/** The number of its threads. */
export function threads(pid) {
  return readdirSync(`/proc/${pid}/task`).length;
}

/** Whether its only thread is blocked. */
export function isAsleep(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat[stat.lastIndexOf(')') + 2] === 'S';
}

/** Whether a test must be skipped because a process here may not have so many descriptors: false, or why. */
export function withoutDescriptors(count) {
  const [, most] = /^Max open files +\S+ +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'));
  return (
    Number(most) < count && `this machine allows ${most} open files (ulimit -Hn), not ${count}`
  );
}

/** The number of open descriptors; null if only root may read it (the server is not dumpable). */
export function descriptors(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch (error) {
    if (error.code === 'EACCES') return null;
    throw error;
  }
}
