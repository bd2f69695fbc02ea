import assert from 'node:assert/strict'
import test from 'node:test'
import type { Finding } from '#brand/finding.ts'
import { createAddresses } from '#serving/addresses.ts'
import { openProjects } from '#serving/pointers/open-projects.ts'
import { EVENTS_PATH, type Live, openLive } from '#site/live.ts'
import { runningService } from '../support/service.ts'
import { publishedBrand, temporaryStore } from '../support/temporary-store.ts'

const temporary = await publishedBrand({
  'open/project.yaml': 'name: Open\nvisibility: public\n',
  'open/pages/a.md': '# A\n',
})
const finding: Finding = {
  severity: 'error',
  rule: 'value-missing',
  project: 'open',
  path: 'open/a.md',
  line: null,
  message: 'a\nb',
}

test('a listening page receives the publication time of each guide and the first hundred findings, errors first', async () => {
  const live = openedLive()
  const warnings = Array.from({ length: 150 }, () => ({ ...finding, severity: 'warning' as const }))
  await live.update({ findings: [...warnings, finding], trouble: 'gone' })
  const events = openEvents(live)
  assert.equal(await next(events), 'retry: 500\n\n')
  const event = await next(events)
  live.close()
  assert.equal(await next(events), undefined)
  const { versions, findings, ...rest } = JSON.parse(event?.slice('data: '.length) ?? '')
  assert.deepEqual(rest, { errors: 1, warnings: 150, trouble: 'gone' })
  assert.deepEqual(Object.keys(versions), ['/acme/open'])
  assert.equal(findings.length, 100)
  assert.deepEqual(findings[0], {
    place: 'open/a.md:1',
    severity: 'error',
    rule: 'value-missing',
    message: 'a\nb',
    fix: 'Write it.',
  })
})

test('a page that reads slowly receives the latest state next, and skips earlier ones', async () => {
  const live = openedLive()
  const events = openEvents(live)
  await next(events)
  for (let count = 0; count < 50; count++) await live.update({ findings: [{ ...finding, message: `number ${count}` }] })
  assert.match((await next(events)) ?? '', /"message":"number 49"/)
  const waiting = next(events)
  live.close()
  assert.equal(await waiting, undefined)
})

test('with a hundred listening pages, another one must retry, and succeeds after one has left', async () => {
  const live = openedLive()
  const leaving = new AbortController()
  const pages = [openEvents(live, leaving.signal), ...Array.from({ length: 99 }, () => openEvents(live))]
  await Promise.all(pages.map(next))
  assert.equal(live.events().status, 503)
  const [first] = pages
  const waiting = first && next(first)
  leaving.abort()
  assert.equal(await waiting, undefined)
  assert.equal(live.events().status, 200)
  live.close()
})

test('only a live service has listening pages and an event stream', async () => {
  const { url } = await runningService(await temporaryStore())
  assert.equal((await fetch(url + EVENTS_PATH)).status, 404)
  assert.doesNotMatch(await (await fetch(url)).text(), /\/dev\./)
})

function openedLive(): Live {
  const { database, identity } = temporary.store
  return openLive(openProjects(database), createAddresses('', identity.fileSecret), '')
}

function openEvents(live: Live, gone = new AbortController().signal): AsyncGenerator<Uint8Array> {
  const { body } = live.events()
  assert.ok(body && 'chunks' in body)
  return body.chunks(gone)
}

async function next(events: AsyncGenerator<Uint8Array>): Promise<string | undefined> {
  const { value, done } = await events.next()
  return done ? undefined : new TextDecoder().decode(value)
}
