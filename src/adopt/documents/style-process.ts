import process from 'node:process'
import { readSources, type Source } from '#conversion/source.ts'

// This program runs in a child process, which ends when its parent disconnects.
process.on('message', (sources: Source[]) => process.send?.(readSources(sources)))
process.send?.('ready')
