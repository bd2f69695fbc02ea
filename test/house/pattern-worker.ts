import { parentPort } from 'node:worker_threads'
import { type Pattern, slowAttack } from './patterns.ts'

// Finds the first slow attack on each pattern, one message each. A worker can have a stack for a deep search.
parentPort?.on('message', (pattern: Pattern) => parentPort?.postMessage(slowAttack(pattern)))
