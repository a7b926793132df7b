// The kernel's information about a running process.

import { readFileSync, readdirSync } from 'node:fs';

const PAGE = 4096; // of the machines that this runs on: x86-64, arm64 as Debian builds it
const TICK_MS = 10; // USER_HZ is 100 on all of them

/** Resident memory in bytes. */
export function residentBytes(pid) {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE;
}

/** The sum of so many fields of times in /proc/PID/stat: its own, and those of waited children. */
function ticksMs(pid, fields) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 11 + fields);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

/** User and system time of all threads so far, in ms. */
export const cpuMs = (pid) => ticksMs(pid, 2);

/** The same of its children, with those that they have waited for. */
export function childrenMs(pid) {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return children.reduce((sum, child) => sum + ticksMs(child, 4), 0);
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

/** The number of open descriptors; null if only root may read it (the server is not dumpable). */
export function descriptors(pid) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch (error) {
    if (error.code === 'EACCES') return null;
    throw error;
  }
}
