import { appendFileSync } from 'node:fs'

/** Writes first how many changes of each file there are, then each verdict at once, a line of JSON: a run whose time is over has reported what it reached. */
class Verdicts {
  static inject = ['options']

  constructor(options) {
    this.file = options.verdicts
  }

  onMutationTestingPlanReady({ mutantPlans }) {
    const planned = {}
    for (const { mutant } of mutantPlans) {
      if (mutant.status !== 'Ignored') planned[mutant.fileName] = (planned[mutant.fileName] ?? 0) + 1
    }
    appendFileSync(this.file, `${JSON.stringify({ planned })}\n`)
  }

  onMutantTested({ fileName, location, mutatorName, replacement, status }) {
    const { start, end } = location
    const lines = { line: start.line, endLine: end.line }
    const verdict = { file: fileName, ...lines, change: mutatorName, replacement, status }
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

/** The default of a switch over a union is never reached: the compiler checks that each member has its case. */
const exhaustive = {
  shouldIgnore({ node }) {
    if (node.type !== 'SwitchCase' || node.test !== null) return undefined
    const [statement] = node.consequent
    const value = statement?.expression ?? statement?.argument
    const isNever = value?.type === 'TSSatisfiesExpression' && value.typeAnnotation.type === 'TSNeverKeyword'
    return isNever ? 'never reached' : undefined
  },
}

/** As Stryker finds what a plugin brings. */
export const strykerPlugins = [
  { kind: 'Reporter', name: 'verdicts', injectableClass: Verdicts },
  { kind: 'Ignore', name: 'logs', value: logs },
  { kind: 'Ignore', name: 'exhaustive', value: exhaustive },
]
