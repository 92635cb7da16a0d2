import { appendFileSync } from 'node:fs'

/** Writes each verdict at once, a line of JSON: a run whose time is over has reported what it reached. */
class Verdicts {
  static inject = ['options']

  constructor(options) {
    this.file = options.verdicts
  }

  onMutantTested({ fileName, location, mutatorName, replacement, status }) {
    const verdict = { file: fileName, line: location.start.line, change: mutatorName, replacement, status }
    appendFileSync(this.file, `${JSON.stringify(verdict)}\n`)
  }
}

/** A call of the log decides nothing: no test need notice another message, or a field less. */
const logs = {
  shouldIgnore({ node }) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined
    const { object, property } = node.callee
    const isLog = (object.name ?? object.property?.name) === 'log' && /^(?:debug|info|warn|error)$/.test(property.name)
    return isLog ? 'what is logged decides nothing' : undefined
  },
}

/** As Stryker finds what a plugin brings. */
export const strykerPlugins = [
  { kind: 'Reporter', name: 'verdicts', injectableClass: Verdicts },
  { kind: 'Ignore', name: 'logs', value: logs },
]
