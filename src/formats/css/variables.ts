import { perObject } from '#platform/base/object.ts'
import { type Budget, spend } from '../json/budget.ts'
import { plainValue } from './values.ts'

/** Distinct values of variables as written, by name with `--` or `$`. */
export type Variables = ReadonlyMap<string, ReadonlySet<string>>

/** Whether a property is a variable of CSS (`--ink`) or of SCSS (`$ink`). */
export function isVariable(property: string): boolean {
  return property.startsWith('--') || property.startsWith('$')
}

/** A plain value. One longer than `MAX_LENGTH` is only cut, since `expand` rejects it by its length. */
export function shortValue(value: string): string {
  return value.length > MAX_LENGTH ? value.slice(0, MAX_LENGTH + 1) : plainValue(value)
}

/** Replaces all variables by their values; undefined if one has none or several. */
export function expand(value: string, scope: Variables): string | undefined {
  const [text, ...others] = expandAll(value, scope)
  return others.length > 0 ? undefined : text
}

/**
 * Replaces all variables by each of their values, in the order of their definitions; undefined stands for what has a
 * variable without one. The fallback of `var()` counts if the variable is defined nowhere. Stops after 50 texts, so that
 * loops end.
 */
export function expandAll(value: string, scope: Variables): (string | undefined)[] {
  // The loop also reads the strings that it adds, each with one variable less.
  const texts = new Set([shortValue(value)])
  const complete = new Set<string | undefined>()
  const budget = expansionBudget(scope)
  for (const text of texts) {
    const variable = VARIABLE.exec(text)
    // Spends the whole budget, so that nothing more of the file is expanded.
    if (text.length > MAX_EXPANDED) budget.left = -1
    if (!variable) {
      complete.add(text.length <= MAX_LENGTH ? text : undefined)
      continue
    }
    if (!spend(budget, 500 + text.length)) return [undefined]
    const values = valuesIn(variable, scope)
    if (values.length === 0 || texts.size > MAX_TEXTS) complete.add(undefined)
    else for (const each of values) texts.add(withValue(text, variable, each.trim()))
  }
  return [...complete]
}

/** The values of a variable that `VARIABLE` matched, or its fallback. */
function valuesIn([, property, fallback, name = '']: RegExpExecArray, scope: Variables): string[] {
  const values = valuesOf(property ?? `$${name.replaceAll('_', '-')}`, scope)
  return values.length > 0 || fallback === undefined ? values : [fallback]
}

/**
 * Replaces the variable that `VARIABLE` matched: `var(--a)` everywhere, as it has one value at a time, but `$a` only there,
 * as it is also the start of other names.
 */
function withValue(text: string, [written, property]: RegExpExecArray, value: string): string {
  return property ? text.replaceAll(written, () => value) : text.replace(written, () => value)
}

/** `var(--ink)`, also with a fallback, `var(--ink, rgb(0 0 0))`, and `$ink` or `colors.$ink` of SCSS. */
const VARIABLE = /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*(?:\([^()]*\)[^()]*)*))?\)|(?:(?<![\w-])[\w-]+\.)?\$([\w-]+)/i
const MAX_TEXTS = 50
const MAX_LENGTH = 1000
/** The longest text while it is expanded: if each variable names the next one twice, it doubles with each. */
const MAX_EXPANDED = 50_000

/** The work that is left to expand the variables of a file. */
export const expansionBudget = perObject((_: Variables): Budget => ({ left: 20_000_000 }))

/** The values of a variable as written; none if it is not defined. */
export function valuesOf(name: string, scope: Variables): string[] {
  return [...(scope.get(name) ?? [])]
}
