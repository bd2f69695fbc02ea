import process from 'node:process'
import { Worker } from 'node:worker_threads'

// Preloaded by each sandboxed process. A runtime that ignores `--permission` would process untrusted input unconfined.
const { permission } = process
if (permission?.has('fs.write') !== false) process.exit(1)

// Node ends an orphaned process only when it is idle, but untrusted input may keep it busy forever, and V8 limits neither
// the memory of buffers nor of some decoders. So a thread watches the parent and the memory. The signal for too much
// memory is the one with which V8 itself aborts, so that the parent sees the same cause.
const WATCH = `
  const { workerData: { parent, maxBytes } } = require('node:worker_threads')
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
    if (process.memoryUsage.rss() > maxBytes) process.kill(process.pid, 'SIGABRT')
  }, 1000)`

const workerData = { parent: process.ppid, maxBytes: Number(process.argv[2]) * 2 ** 20 }
new Worker(WATCH, { eval: true, workerData }).unref()

// A thread with its own options would not be confined. Early releases of Node 24 lack `drop`, and so do the types of all.
if ('drop' in permission && typeof permission.drop === 'function') permission.drop('worker')
