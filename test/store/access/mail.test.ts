import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addMail,
  claimMail,
  findMailChoice,
  listDueMail,
  recordMail,
  renewMailChoice,
  saveMailChoice,
} from '#store/access/mail.ts'
import { endRights } from '#store/access/person-rights.ts'
import { nextDueAt } from '#store/catalogue/webhooks.ts'
import { bothEngines } from '#test/support/engines.ts'

const NOW = 1_800_000_000_000
const LATER = NOW + 60_000
const LEASE_MS = 1000
const GUIDE = { workspace: 'acme', project: 'guide' }
const ADA = { workspace: 'acme', subject: 'ada', signin: 'one' }

for (const { name, skip, migrated } of await bothEngines())
  test(`with ${name}, a mail is leased and sent once`, { skip }, async () => {
    const database = await migrated()
    const { transaction } = database
    const add = (reason: string, at = NOW) =>
      transaction(queries => addMail(queries, 'failed', GUIDE, { now: new Date(at), reason }))
    const due = async (at = LATER) => (await listDueMail(database, at)).map(({ id }) => id)
    const claim = (id = '', now = LATER) => claimMail(database, id, { now, until: now + LEASE_MS })
    await add('nobody asked')
    assert.deepEqual(await due(), [])
    const rights = { drafts: true, manages: {} }
    const [chosenAt, seenAt] = [new Date(NOW), new Date(NOW)]
    const choice = {
      ...ADA,
      email: 'ada@example.com',
      lang: 'en',
      kinds: ['failed', 'newer'],
      rights,
      seenAt,
      chosenAt,
    }
    await transaction(queries => saveMailChoice(queries, choice))
    await add('first')
    assert.equal(await nextDueAt(database, 'mail', NOW), NOW + 10_000)
    const [first] = await due()
    const claims = await Promise.all([claim(first), claim(first)])
    const [claimed, ...others] = claims.filter(each => each !== undefined)
    assert.ok(claimed)
    assert.deepEqual([claimed.reason, claimed.attempts, others], ['first', 1, []])
    await add('second')
    await transaction(queries => recordMail(queries, claimed, 'sent'))
    const [second] = await due(LATER + LEASE_MS)
    assert.notEqual(second, first, 'an event during an attempt is another mail')
    const next = await claim(second, LATER + LEASE_MS)
    assert.ok(next)
    await transaction(queries => recordMail(queries, next, 'sent'))
    assert.deepEqual(await due(Number.MAX_SAFE_INTEGER), [])
    await add('second')
    assert.deepEqual(await due(), [], 'the same failure is no news')
    await add('third')
    await transaction(queries => renewMailChoice(queries, { ...ADA, signin: 'other', drafts: false }, new Date(LATER)))
    assert.equal((await due()).length, 1)
    await transaction(queries => queries.run("UPDATE mail SET kind = 'newer' WHERE next_at IS NOT NULL"))
    assert.deepEqual(await due(Number.MAX_SAFE_INTEGER), [], 'services of a newer version send it')
    await add('fourth')
    await transaction(queries => endRights(queries, { signin: 'one' }, { keepsLinks: true, now: new Date(LATER) }))
    assert.deepEqual([await due(), await findMailChoice(database, ADA)], [[], undefined])
  })
