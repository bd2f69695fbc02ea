import process from 'node:process'
import { Worker } from 'node:worker_threads'

// Preloaded by each sandboxed process. A runtime that ignores `--permission` would process untrusted input unconfined.
const { permission } = process
if (permission?.has('fs.write') !== false) process.exit(1)

// Node ends an orphaned process only when it is idle, but untrusted
// input may keep it busy forever. So a thread watches the parent.
const WATCH = `
  const { workerData: parent } = require('node:worker_threads')
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000)`

new Worker(WATCH, { eval: true, workerData: process.ppid }).unref()

// A thread with its own options would not be confined. Early releases of Node 24 lack `drop`, and so do the types of all.
if ('drop' in permission && typeof permission.drop === 'function') permission.drop('worker')
