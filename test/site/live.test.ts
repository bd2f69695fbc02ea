import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Finding } from '../../src/brand/finding.ts'
import { addressesBelow } from '../../src/serving/addresses.ts'
import { openPointers } from '../../src/serving/pointers.ts'
import { EVENTS_PATH, openLive } from '../../src/site/live.ts'
import { runningService } from '../support/running.ts'
import { temporaryStore } from '../support/temporary-store.ts'

const temporary = await temporaryStore()
await temporary.importing('acme', {
  'open/project.yaml': 'name: Open\nvisibility: public\n',
  'open/pages/a.md': '# A\n',
})
await temporary.publish('acme/open')
const finding: Finding = {
  ...{ severity: 'error', rule: 'value-missing', project: 'open', path: 'open/a.md', line: null, message: 'a\nb' },
}

test('a page that listens is told when each guide was published, and the first hundred findings, errors first', async () => {
  const live = await openedLive()
  const warnings = Array.from({ length: 150 }, () => ({ ...finding, severity: 'warning' as const }))
  live.tell({ findings: [...warnings, finding], trouble: 'gone' })
  const listening = text(await opened(live))
  await nextTurn()
  live.close()
  const [retry, event = ''] = (await listening).split('\n\n')
  assert.equal(retry, 'retry: 500')
  const { versions, findings, ...rest } = JSON.parse(event.slice('data: '.length))
  assert.deepEqual(rest, { errors: 1, warnings: 150, trouble: 'gone' })
  assert.deepEqual(Object.keys(versions), ['/acme/open'])
  assert.equal(findings.length, 100)
  assert.deepEqual(findings[0], {
    ...{ place: 'open/a.md:1', severity: 'error', rule: 'value-missing', message: 'a\nb', fix: 'Write it.' },
  })
})

test('a page that reads slowly is told the latest state next, and none of those between', async () => {
  const live = await openedLive()
  const stream = await opened(live)
  stream.read(0)
  const message = 'x'.repeat(100_000)
  for (let count = 0; count < 50; count++) {
    live.tell({ findings: [{ ...finding, message: `${count} ${message}` }] })
    await nextTurn()
  }
  const numbers: string[] = []
  for await (const chunk of stream) {
    numbers.push(...Array.from(String(chunk).matchAll(/"message":"(\d+) /g), ([, number = '']) => number))
    if (numbers.at(-1) === '49') break
  }
  assert.ok(numbers.length <= 2, `${numbers} were kept`)
})

test('of a hundred pages that listen the next is told to come again, and may when one has left', async () => {
  const live = await openedLive()
  const streams = await Promise.all(Array.from({ length: 100 }, () => opened(live)))
  assert.equal(live.events().status, 503)
  streams[0]?.destroy()
  await nextTurn()
  assert.equal(live.events().status, 200)
  live.close()
})

test('only a live service has pages that listen, and something to listen to', async () => {
  const { url } = await runningService(await temporaryStore())
  assert.equal((await fetch(url + EVENTS_PATH)).status, 404)
  assert.doesNotMatch(await (await fetch(url)).text(), /\/dev\./)
})

async function openedLive() {
  const pointers = await openPointers(temporary.store.database)
  return openLive({ pointers, paths: addressesBelow('', temporary.store.identity.fileSecret), publicUrl: '' })
}

async function opened(live: Awaited<ReturnType<typeof openedLive>>) {
  const { body } = live.events()
  assert.ok(body && 'open' in body)
  return body.open()
}
