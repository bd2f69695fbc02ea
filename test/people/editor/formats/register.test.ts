import assert from 'node:assert/strict'
import test from 'node:test'
import type { Format } from '#people/editor/formats/field.ts'
import { registerFormats } from '#people/editor/formats/register.ts'
import { COLOR_FIELDS, FILE_FIELDS, PAGE_FIELDS, PROJECT_FIELDS } from './editor-fields.ts'

test('each format of a configuration is registered once, with the fields of its collection or file', () => {
  const formats = new Map<string, { extension: string; format: Format }>()
  const registerCustomFormat = (name: string, extension: string, format: Format) => {
    assert.ok(!formats.has(name), name)
    formats.set(name, { extension, format })
  }
  const lists = {
    files: [
      { format: 'colors', fields: COLOR_FIELDS },
      { format: 'types', fields: COLOR_FIELDS },
      { format: 'files', fields: FILE_FIELDS },
      { format: 'project', fields: PROJECT_FIELDS },
    ],
  }
  const pages = { format: 'page', fields: PAGE_FIELDS }
  const workspace = { files: [{ format: 'workspace', fields: PROJECT_FIELDS }] }
  registerFormats({ registerCustomFormat }, { collections: [lists, pages, lists, pages, workspace] })
  const registered = Array.from(formats, ([name, { extension }]) => `${name}.${extension}`)
  assert.deepEqual(registered, ['colors.yaml', 'types.yaml', 'files.yaml', 'project.yaml', 'page.md', 'workspace.yaml'])
  const read = (name: string, text: string) => formats.get(name)?.format.fromFile(text)
  assert.deepEqual(read('page', 'A')?.body, 'A')
  assert.deepEqual(read('types', '- name: A')?.items, [{ name: 'A', at: '0' }])
  assert.deepEqual(read('files', 'a: b')?.items, [{ path: 'a', description: 'b', at: '0' }])
  assert.equal(read('workspace', 'name: A')?.name, 'A')
})
