import process from 'node:process'
import { yamlValue } from '#formats/yaml/document.ts'
import { changedSettings, type ProtectedKey, type SettingsOwner } from '#intake/project/protected-settings.ts'
import { attempt, failed, ok, type Result } from '#platform/base/result.ts'
import { type FileChangeTexts, mergeTexts } from '#publishing/git/edit/merge-files.ts'
import type { SettingsChange } from '#publishing/git/edit/save.ts'
import { escapeText, html } from '#site/html.ts'
import { type Conflicting, conflictOf, type MergedTexts } from './conflict.ts'
import { formOf, type MadeForm, type OpenedForm } from './form-html.ts'
import { type Change, type ChangedFile, changeOf } from './form-text.ts'
import { type RenamedPage, settingsOf } from './renamed-page.ts'

/** What the process does with texts that people and authors write, and its answers. */
export type EditTasks = {
  /** Makes the fields of a file. */
  form: (opened: OpenedForm) => MadeForm | undefined
  /** Puts a form into its file, and checks the new text. */
  change: (change: Change) => ChangedFile
  /** Gives a page another id in the settings. */
  rename: (renamed: RenamedPage) => { text: string } | undefined
  /** Finds the protected keys that the settings of a project change. */
  protect: (changed: ChangedSettings) => { keys: readonly ProtectedKey[] }
  /** Makes the hidden fields of a form that was sent too late, and the text for its person to copy, as HTML. */
  unsaved: (form: UnsavedForm) => { fields: string; typed: string }
  /** Finds whether lists name a file by one of its paths. */
  names: (lists: NamingLists) => { named: readonly boolean[] }
  /** Merges bytes. */
  merge: (texts: FileChangeTexts) => { merged: Uint8Array | undefined }
  /** Merges texts that exclude each other, and shows both versions of these places. */
  conflict: (texts: Conflicting) => MergedTexts
}

type UnsavedForm = { sent: readonly [name: string, value: string][]; typed: readonly string[] }
type NamingLists = { lists: readonly string[]; paths: readonly string[] }
type ChangedSettings = { owner: SettingsOwner; settings: readonly SettingsChange[] }

export type EditTask<Name extends keyof EditTasks> = { name: Name; input: Parameters<EditTasks[Name]>[0] }

/** The answer; without a value if the stack overflowed, or there is none. */
export type EditAnswer = Result<object, undefined>

type Work = { [Name in keyof EditTasks]: (input: EditTask<Name>['input']) => ReturnType<EditTasks[Name]> }

const WORK: Work = {
  form: formOf,
  change: changeOf,
  rename: settingsOf,
  protect: ({ owner, settings }) => ({
    keys: settings.flatMap(({ before, after }) => changedSettings(owner, before, after)),
  }),
  unsaved: ({ sent, typed }) => {
    const fields = sent.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
    return { fields: html`${fields}`.text, typed: escapeText(typed.join('\n')) }
  },
  names: ({ lists, paths }) => ({
    named: lists.map(list => {
      const values = JSON.stringify(attempt(() => yamlValue(list)) ?? list)
      return paths.some(path => values.includes(JSON.stringify(path)))
    }),
  }),
  merge: texts => ({ merged: mergeTexts(texts) }),
  conflict: conflictOf,
}

// The program of a child process. It exits when its parent disconnects.
process.on('message', (task: EditTask<keyof EditTasks>) => process.send?.(answer(task)))

function answer<Name extends keyof EditTasks>({ name, input }: EditTask<Name>): EditAnswer {
  const value = attempt(() => WORK[name](input))
  return value ? ok(value) : failed(undefined)
}
