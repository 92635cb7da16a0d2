import type { FindingCode } from './finding-codes.ts'

/** A finding's code and values, from which a page writes the sentence in the reader's language. */
export type Found = { code: FindingCode; values: string[] }

/** A place that is more than a name: `text` in English, and the code with its values for a page. */
export type Place = { text: string; code: 'node' | 'platform' | 'replica' | 'replicas' | 'work'; values: string[] }

/**
 * The result of a check. `bad`: payments fail now; `warning`: they may fail later. `says`, `fix` (what to do about it) and
 * `subject` are in English, for the terminal; pages write their own sentences from `code`, `values` and `place`.
 */
export type Finding = Found & {
  check: string
  /** A network's name, a merchant's id, or a part of the service. */
  subject: string
  /** Null: `subject` is a name, the same in every language. */
  place: { code: Place['code']; values: string[] } | null
  state: 'good' | 'warning' | 'bad'
  says: string
  fix: string | null
}

/** @param values - The values of the code's sentence, in order. */
export const found = (code: FindingCode, ...values: (string | number | bigint)[]): Found => ({
  code,
  values: values.map(String),
})

/** A node of a network, named by number, because its URL may contain a key. */
export const nodePlace = (network: string, index: number, count: number): Place => ({
  text: `${network}, node ${index + 1} of ${count}`,
  code: 'node',
  values: [network, String(index + 1), String(count)],
})

/** @param what - The code alone suffices if its sentence has no values. */
export function good(what: FindingCode | Found, subject: string | Place, says: string): Finding {
  return { ...identified(what), ...placed(subject), state: 'good', says, fix: null }
}

export function warning(what: FindingCode | Found, subject: string | Place, says: string, fix: string): Finding {
  return { ...identified(what), ...placed(subject), state: 'warning', says, fix }
}

export function bad(what: FindingCode | Found, subject: string | Place, says: string, fix: string): Finding {
  return { ...identified(what), ...placed(subject), state: 'bad', says, fix }
}

function identified(what: FindingCode | Found): Found & Pick<Finding, 'check'> {
  const { code, values } = typeof what === 'string' ? found(what) : what
  return { check: code.slice(0, code.indexOf('.')), code, values }
}

function placed(subject: string | Place): Pick<Finding, 'subject' | 'place'> {
  if (typeof subject === 'string') return { subject, place: null }
  const { text, code, values } = subject
  return { subject: text, place: { code, values } }
}
