/** What a check found. `bad`: payments fail now; `warning`: they may fail later. `fix`: what to do about it. */
export type Finding = {
  check: string
  /** A network's name, a merchant's id, a part of the service. */
  subject: string
  state: 'good' | 'warning' | 'bad'
  says: string
  fix: string | null
}

export const good = (check: string, subject: string, says: string): Finding => {
  return { check, subject, state: 'good', says, fix: null }
}

export const warning = (check: string, subject: string, says: string, fix: string): Finding => {
  return { check, subject, state: 'warning', says, fix }
}

export const bad = (check: string, subject: string, says: string, fix: string): Finding => {
  return { check, subject, state: 'bad', says, fix }
}
