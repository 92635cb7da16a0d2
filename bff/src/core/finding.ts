import type { FindingCode } from './finding-codes.ts'

/** What was found, for a page that writes its own sentence in the reader's language. */
export type Found = { code: FindingCode; values: string[] }

/** A place that is more than a name: `text` in English, and its code with the values for a page. */
export type Place = { text: string; code: 'node' | 'platform' | 'replica' | 'replicas' | 'work'; values: string[] }

/**
 * What a check found. `bad`: payments fail now; `warning`: they may fail later. `says`, `fix` (what to do about it) and
 * `subject` are English, for the terminal; a page writes its own sentences from `code`, `values` and `place`.
 */
export type Finding = Found & {
  check: string
  /** A network's name, a merchant's id, a part of the service. */
  subject: string
  /** Null: `subject` is a name in any language. */
  place: { code: Place['code']; values: string[] } | null
  state: 'good' | 'warning' | 'bad'
  says: string
  fix: string | null
}

/** @param values - Of the sentence of this code, in order. */
export const found = (code: FindingCode, ...values: (string | number | bigint)[]): Found => ({
  code,
  values: values.map(String),
})

/** A node of a network, named by number: its URL may contain a key. */
export const nodePlace = (network: string, index: number, count: number): Place => ({
  text: `${network}, node ${index + 1} of ${count}`,
  code: 'node',
  values: [network, String(index + 1), String(count)],
})

/** @param what - Its code alone where its sentence has no values. */
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
