import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { type AccessEvent, openAudit } from '#platform/telemetry/access-event.ts'
import { silent } from '../../support/service.ts'

/** Opens an audit that collects lines and counts. */
function collectingAudit() {
  const lines: object[] = []
  const counts = new Map<string, number>()
  const log = { ...silent, info: (fields: object) => void lines.push(fields) }
  const countAccess = (event: string, reason: string) => {
    const key = `${event} ${reason}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return { record: openAudit(log, { countAccess }), lines, counts }
}

test('a flood of refusals writes 30 lines a minute for each event and reason, then the number of the rest, and counts each one', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { record, lines, counts } = collectingAudit()
    const refusal = { event: 'token-refused', reason: 'signature', address: '192.0.2.1' } satisfies AccessEvent
    const limited = { event: 'edit_refused', workspace: 'acme', paths: ['pages/logo.md'] } satisfies AccessEvent
    for (let at = 0; at < 1000; at++) record(refusal)
    for (let at = 0; at < 31; at++) record(limited)
    assert.equal(lines.length, 60)
    assert.equal(lines.filter(line => line === limited).length, 30)
    mock.timers.tick(60_000)
    assert.deepEqual(lines.slice(60), [
      { event: 'token-refused', reason: 'signature', unlogged: 970 },
      { event: 'edit_refused', unlogged: 1 },
    ])
    record(refusal)
    assert.equal(lines.at(-1), refusal)
    mock.timers.tick(60_000)
    assert.equal(lines.length, 63)
    assert.deepEqual([...counts.values()], [1001, 31])
  } finally {
    mock.timers.reset()
  }
})

test('the log names each refused host once a minute, in any letter case, and at most 30 of them', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    const { record, lines, counts } = collectingAudit()
    const refuse = (host: string) => record({ event: 'host-refused', status: 421, host, address: '192.0.2.1' })
    for (let at = 0; at < 100; at++) for (const host of ['a.example', 'A.example', 'b.example']) refuse(host)
    const hosts = () => lines.flatMap(line => ('host' in line ? [line.host] : []))
    assert.deepEqual(hosts(), ['a.example', 'b.example'])
    mock.timers.tick(60_000)
    assert.deepEqual(lines.slice(2), [{ event: 'host-refused', unlogged: 298 }])
    refuse('a.example')
    assert.deepEqual(hosts(), ['a.example', 'b.example', 'a.example'])
    for (let at = 0; at < 1000; at++) refuse(`${at}.example`)
    assert.equal(hosts().length, 32)
    assert.deepEqual([...counts], [['host-refused ', 1301]])
  } finally {
    mock.timers.reset()
  }
})

test('events that need a secret or a command are always logged', () => {
  const { record, lines } = collectingAudit()
  for (let at = 0; at < 100; at++) record({ event: 'token-issued', client: 'acme-1' })
  for (let at = 0; at < 100; at++) record({ event: 'edit_saved', commit: `${at}`, paths: ['pages/logo.md'] })
  assert.equal(lines.length, 200)
})
