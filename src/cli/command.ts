import type { SettingName } from '../settings.ts'
import type { Io } from './io.ts'

/** What a person gave a command: operands, and options by their long name in camelCase. */
export type Arguments = {
  operands: readonly string[]
  options: Readonly<Record<string, unknown>>
}

/** A command as `--help` shows it. Its code is loaded when it runs. */
export type Command = {
  /** `token issue` */
  name: string
  /** Operands as in usage lines: `<folder>`, `[folder]`, `[projects...]`. */
  operands?: string
  summary: string
  options?: readonly Option[]
  settings: readonly SettingName[]
  examples: readonly string[]
  load: () => Promise<{ run: Run }>
}

/** An option of a command: `--note <text>`; `repeats` collects all values. */
export type Option = { flags: string; help: string; repeats?: true; default?: string }

/** Runs a command. Gives the exit code, one of `EXIT`. */
export type Run = (args: Arguments, io: Io) => Promise<number>

/** The value of an option that takes one. */
export function textOption({ options }: Arguments, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** All values of an option that repeats. */
export function listOption({ options }: Arguments, name: string): readonly string[] {
  const value = options[name]
  return Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
}

/** Whether an option without a value was args. */
export function isGiven({ options }: Arguments, name: string): boolean {
  return options[name] === true
}
