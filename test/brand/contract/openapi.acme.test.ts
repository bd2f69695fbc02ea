import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test, { after } from 'node:test'
import { examplePath } from '#brand/contract/guide.ts'
import type { OpenApiDocument } from '#brand/contract/openapi.ts'
import { API_PATH, OPERATIONS } from '#brand/contract/operations.ts'
import { type AcmeService, withAcme } from '../../support/acme-service.ts'
import type { Answer, Asking } from '../../support/service.ts'

const document: OpenApiDocument = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const { components, paths } = document
const PROJECT = '/beta/workspace/acme/project/guidelines'

/** Requests that every service refuses, each with the name of its example. */
const REFUSED: readonly [status: number, example: string, target: string, asking?: Asking][] = [
  [401, 'no-credentials', PROJECT, {}],
  [401, 'invalid-token', PROJECT, { token: 'x.y.z' }],
  [404, 'not-found', '/beta/workspace/acme/project/nothing'],
  [405, 'method-not-allowed', PROJECT, { method: 'POST' }],
]

const acme = await acmeUntilEnd()

test('each example value of a field occurs in examples/acme', async () => {
  const answered = new Map<string, Set<string>>()
  for (const { path } of OPERATIONS) {
    const body: unknown = JSON.parse((await ask(acme, API_PATH + examplePath(path))).text)
    for (const [name, value] of fieldsIn(body)) {
      const values = answered.get(name) ?? new Set()
      answered.set(name, values.add(JSON.stringify(value)))
    }
  }
  const replies = Object.entries(components.schemas).filter(([name]) => !/^(?:Error|Token.*)$/.test(name))
  for (const [name, { properties = {} }] of replies)
    for (const [field, { examples = [] }] of Object.entries(properties))
      for (const example of examples)
        assert.ok(answered.get(field)?.has(JSON.stringify(example)), `${name}.${field}: ${JSON.stringify(example)}`)
})

test('each example header field occurs in a reply of examples/acme', () =>
  withAcme(async acme => {
    const replies: Answer[] = []
    for (const { path } of OPERATIONS) replies.push(await ask(acme, API_PATH + examplePath(path)))
    for (const [, , target, asking] of REFUSED) replies.push(await ask(acme, target, asking))
    while (replies.at(-1)?.status !== 429) replies.push(await ask(acme, PROJECT))
    const { Pragma: _, BasicChallenge: __, RequestId: ___, ...described } = components.headers
    for (const [key, { schema }] of Object.entries(described)) {
      const name = key.replace('NoStore', 'CacheControl').replace(/(?<=[a-z])(?=[A-Z])/g, '-')
      const field = { 'Rate-Limit': 'RateLimit', 'Rate-Limit-Policy': 'RateLimit-Policy' }[name] ?? name
      const values = replies.map(({ headers }) => headers.get(field))
      const [example] = schema.examples ?? []
      assert.ok(values.includes(String(example)), `${field}: ${example} is none of ${[...new Set(values)].join(' | ')}`)
    }
  }))

test('each example refusal is a reply of the service for examples/acme', async () => {
  for (const [status, example, target, asking] of REFUSED) {
    const answer = await ask(acme, target, asking)
    assert.deepEqual([answer.status, JSON.parse(answer.text)], [status, refusalExample(status, example)])
  }
})

test('a request with the example parameters gets the example reply', async () => {
  const values: Readonly<Record<string, string>> = Object.fromEntries(
    Object.values<{ name?: string; example?: string }>(components.parameters).map(({ name, example }) => [
      name,
      example,
    ]),
  )
  for (const [path, { get }] of Object.entries(paths)) {
    if (!get) continue
    const filled = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
    assert.equal((await ask(acme, API_PATH + filled)).status, 200, path)
  }
  const condition = { 'if-none-match': values['If-None-Match'] ?? '' }
  const { status } = await acme.ask(`${PROJECT}/styles`, { token: acme.token, headers: condition })
  assert.equal(status, 304)
})

/** A service of the example brand for all tests but the one that uses up its rate limit. */
async function acmeUntilEnd(): Promise<AcmeService> {
  const opened = Promise.withResolvers<AcmeService>()
  const ended = Promise.withResolvers<void>()
  const served = withAcme(acme => {
    opened.resolve(acme)
    return ended.promise
  })
  after(() => {
    ended.resolve()
    return served
  })
  await Promise.race([opened.promise, served])
  return opened.promise
}

function ask(acme: AcmeService, target: string, asking: Asking = { token: acme.token }): Promise<Answer> {
  return acme.ask(target, asking)
}

function refusalExample(status: number, name: string): unknown {
  const response = Object.values(components.responses).find(({ content }) => {
    const examples = content?.['application/json']?.examples ?? {}
    return Object.hasOwn(examples, name)
  })
  assert.ok(response, `${status} ${name} is not described`)
  return response.content?.['application/json']?.examples?.[name]?.value
}

/** Every field of a value and of its nested values, with its name. */
function fieldsIn(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => [[name, part], ...fieldsIn(part)])
}
