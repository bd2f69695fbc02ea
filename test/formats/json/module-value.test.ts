import assert from 'node:assert/strict'
import test from 'node:test'
import { moduleValue } from '#formats/json/module-value.ts'

test('a module says what its literals, names and calls say, and ends soon however often they repeat each other', () => {
  const text =
    "const a = { x: 1 }\nmodule.exports = wrap({ ...a, list: ['b', ...(c ? ['d'] : [])], path: join(__dirname, 'content') })"
  assert.deepEqual(moduleValue(text, 'js'), {
    x: 1,
    list: ['b', 'd'],
    path: 'content',
    '@calls': { join: ['content'] },
  })
  const names = Array.from({ length: 60 }, (_, at) => `const a${at + 1} = [...a${at}, ...a${at}]`)
  const bomb = `const a0 = ['x']\n${names.join('\n')}\nexport default { a: a60 }`
  assert.ok(JSON.stringify(moduleValue(bomb, 'js')).length < 1e6)
})

test('types are removed from a module, but not from its strings', () => {
  const text = `import { type Config, make } from 'x'
const config: Config<string> = { title: 'Known as Foo, "Bar', list: ["it's; const a: b ="] as const }
export default config satisfies Config`
  assert.deepEqual(moduleValue(text, 'ts'), {
    title: 'Known as Foo, "Bar',
    list: ["it's; const a: b ="],
    '@calls': {},
  })
})
