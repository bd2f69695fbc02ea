import process from 'node:process'
import { Worker } from 'node:worker_threads'

// Preloaded by each sandboxed process. A runtime that ignores `--permission` would process untrusted input unconfined.
const { permission } = process
if (permission?.has('fs.write') !== false) process.exit(1)

// Node ends an orphaned process only when it is idle, but untrusted input may keep it busy forever, and V8 limits neither
// the memory of buffers nor of some decoders. So a thread watches the parent and the memory. The signal for too much
// memory is the one with which V8 itself aborts, so that the parent sees the same cause. On standard output, it tells the
// parent the processor time in milliseconds, one line for each period: only the process can read it on every system.
const WATCH = `
  const { writeSync } = require('node:fs')
  const { workerData: { parent, maxBytes, reportMs } } = require('node:worker_threads')
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGABRT')
    const { user, system } = process.cpuUsage()
    writeSync(1, Math.round((user + system) / 1000) + '\\n')
  }, reportMs)`

const [maxMegabytes, reportMs] = process.argv.slice(2).map(Number)
const workerData = { parent: process.ppid, maxBytes: Number(maxMegabytes) * 2 ** 20, reportMs }
new Worker(WATCH, { eval: true, workerData }).unref()

// A thread with its own options would not be confined. Early releases of Node 24 lack `drop`, and so do the types of all.
if ('drop' in permission && typeof permission.drop === 'function') permission.drop('worker')
