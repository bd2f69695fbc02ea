import process from 'node:process'
import { ok } from '#platform/base/result.ts'
import { readSources, type Source } from '../conversion/source.ts'

// This program runs in a child process, which ends when its parent disconnects.
process.on('message', (sources: Source[]) => process.send?.(ok(readSources(sources))))
process.send?.('ready')
