import process from 'node:process'
import { Worker } from 'node:worker_threads'

// Loaded before the program of a process of its own. Node ends one whose parent has gone only when it is idle, and what
// strangers wrote may keep it busy without end: so a thread of its own looks.
const WATCH = `
  const { workerData: parent } = require('node:worker_threads')
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 1000)`

new Worker(WATCH, { eval: true, workerData: process.ppid }).unref()
