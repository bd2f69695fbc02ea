import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { growDescriptorTable } from '../../../src/http/connections/descriptor-table.ts'
import { until } from '../../support/until.ts'

const places = () => Number(/^FDSize:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1])
const open = () => readdirSync('/proc/self/fd').length

for (const [descriptors, isGrown] of [
  [1024, false],
  [1 << 20, true],
] as const)
  test(`where ${descriptors} descriptors are allowed, the table of a server ${isGrown ? 'has room for two thousand, and none stays open' : 'stays as it is'}`, async () => {
    const server = createServer()
    growDescriptorTable(server, descriptors)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const before = { open: open(), places: places() }
    if (isGrown) await until(() => places() >= 4096 && open() === before.open)
    else {
      await sleep(1500)
      assert.equal(places(), before.places)
    }
    server.close()
  })
