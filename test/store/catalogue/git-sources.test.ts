import assert from 'node:assert/strict'
import test from 'node:test'
import { findEditLinks } from '#store/catalogue/edit-links.ts'
import { claimGitCheck, findGitSource, requestGitCheck, saveGitCheck } from '#store/catalogue/git-sources.ts'
import { bothEngines } from '#test/support/engines.ts'

const at = (milliseconds: number) => new Date(1_800_000_000_000 + milliseconds)

for (const { name, skip, migrated } of await bothEngines())
  test(`${name}: a check is claimed once when due or wanted; its results stay until the next`, { skip }, async () => {
    const database = await migrated()
    const claim = (now: number, due: number) =>
      database.transaction(queries => claimGitCheck(queries, 'a', at(now), at(due)))
    const request = (now: number) => database.transaction(queries => requestGitCheck(queries, 'a', at(now)))
    const save = (found: Parameters<typeof saveGitCheck>[2]) =>
      database.transaction(queries => saveGitCheck(queries, 'a', found))
    assert.deepEqual(await findGitSource(database, 'a'), {})
    const claims = await Promise.all([claim(100, 50), claim(100, 50)])
    assert.deepEqual(claims.toSorted(), [false, true])
    assert.equal(await claim(140, 99), false)
    assert.equal(await claim(160, 100), true)
    await Promise.all([request(160), request(160)])
    assert.deepEqual([await claim(170, 100), await claim(171, 100)], [true, false])
    await save({ goodAt: at(180), imported: '{"a":1}' })
    await save({ failure: '{"code":"x","message":"m"}' })
    assert.deepEqual(await findGitSource(database, 'a'), {
      requestedAt: at(161),
      checkedAt: at(170),
      goodAt: at(180),
      imported: '{"a":1}',
      failure: '{"code":"x","message":"m"}',
    })
    await save({ imported: '{"a":2}' })
    const { failure, goodAt, imported } = await findGitSource(database, 'a')
    assert.deepEqual([failure, goodAt, imported], [undefined, at(180), '{"a":2}'])
    assert.equal(await findEditLinks(database, { workspace: 'acme', project: 'guide' }), undefined)
    await database.close()
  })
