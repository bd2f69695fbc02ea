import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimAt, readGroups } from '#people/signin/people/groups-claim.ts'

const paths: Record<string, [path: string, claims: Record<string, unknown>, value: unknown]> = {
  'a claim is found by its name': ['groups', { groups: ['a'] }, ['a']],
  'a path leads into nested claims': ['realm_access.roles', { realm_access: { roles: ['a'] } }, ['a']],
  'a name with dots is found before a path': [
    'https://acme.example/groups',
    { 'https://acme.example/groups': ['a'], 'https://acme': { 'example/groups': ['b'] } },
    ['a'],
  ],
  'names on a path may have dots': [
    'resource_access.guides.acme.example.roles',
    { resource_access: { 'guides.acme.example': { roles: ['a'] } } },
    ['a'],
  ],
  'a null is absent, so that the path is tried': ['a.b', { 'a.b': null, a: { b: 'c' } }, 'c'],
  'a path through a list or a string leads nowhere': ['a.0', { a: ['b'] }, undefined],
  'inherited names are no claims': ['constructor.name', {}, undefined],
}
for (const [name, [path, claims, value]] of Object.entries(paths))
  test(name, () => assert.deepEqual(claimAt(claims, path), value))

const claims: Record<string, [claim: unknown, groups: readonly string[], isUnreadable?: boolean]> = {
  'an absent claim has no groups': [undefined, []],
  'an empty list has no groups': [[], []],
  'a list has its strings, unsplit': [
    ['a b', 'c,d', 1],
    ['a b', 'c,d'],
  ],
  'commas or semicolons separate a list in one string': ['a b;c, d', ['a b;c, d', 'a b', 'c', 'd']],
  'without them, spaces do': ['a b', ['a b', 'a', 'b']],
  'an empty string has no groups': ['', []],
  'a map has its keys': [{ a: {}, b: ['x'] }, ['a', 'b']],
  'a list of objects is unreadable': [[{ name: 'a' }], [], true],
  'a number or true is unreadable': [true, [], true],
}
for (const [name, [claim, groups, isUnreadable = false]] of Object.entries(claims))
  test(name, () => assert.deepEqual(readGroups(claim), { groups, isUnreadable }))
