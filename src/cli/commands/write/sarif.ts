import { type Finding, RULES } from '../../../brand/finding.ts'

/** Findings as a SARIF 2.1.0 log (OASIS), with all checked rules. */
export function sarifLog(findings: readonly Finding[]): object {
  const rules = Object.entries(RULES).map(([id, { severity, summary, fix }]) => ({
    id,
    shortDescription: { text: summary },
    help: { text: fix },
    defaultConfiguration: { level: severity },
  }))
  const ids = rules.map(({ id }) => id)
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'housestyle', rules } },
        originalUriBaseIds: { [ROOT]: { description: { text: ROOT_TEXT } } },
        columnKind: 'utf16CodeUnits',
        results: findings.map(finding => result(finding, ids.indexOf(finding.rule))),
      },
    ],
  }
}

const ROOT = '%SRCROOT%'
const ROOT_TEXT = 'The root of the repository, or the brand folder if there is no repository.'

function result({ severity, rule, path, line, message }: Finding, ruleIndex: number): object {
  const artifactLocation = {
    uri: path.toWellFormed().split('/').map(encodeURIComponent).join('/'),
    uriBaseId: ROOT,
  }
  const region = line === null ? {} : { region: { startLine: line } }
  return {
    ruleId: rule,
    ruleIndex,
    level: severity,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation, ...region } }],
  }
}
