/** What a check found. `bad` keeps money or customers out; a `warning` will. `fix` is what to do about it. */
export type Finding = {
  check: string
  /** Of what: a network's name, a merchant's id, a part of the service. */
  subject: string
  state: 'good' | 'warning' | 'bad'
  says: string
  fix: string | null
}

export const good = (check: string, subject: string, says: string): Finding => ({
  ...{ check, subject, state: 'good' as const, says },
  fix: null,
})

export const warning = (check: string, subject: string, says: string, fix: string): Finding => ({
  ...{ check, subject, state: 'warning' as const, says, fix },
})

export const bad = (check: string, subject: string, says: string, fix: string): Finding => ({
  ...{ check, subject, state: 'bad' as const, says, fix },
})
