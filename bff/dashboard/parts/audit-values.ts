import { type MessageKey, t, tOrNull } from '../locales/locale.ts'
import { formatAmount, formatTime } from '../ui/format.ts'

/** The settings' labels on the settings page. */
const settings: Readonly<Record<string, MessageKey>> = {
  name: 'settings.name',
  tolerance: 'settings.tolerance',
  latePayments: 'settings.late',
  publicReports: 'settings.reports',
  currency: 'home.currency',
  color: 'yourPage.color',
  logo: 'yourPage.logo',
  termsUrl: 'yourPage.termsUrl',
  privacyUrl: 'yourPage.privacyUrl',
  imprintUrl: 'yourPage.imprintUrl',
  supportUrl: 'yourPage.supportUrl',
}

/** The subject of a change in the reader's language, if the service stores a code for it. */
export function subjectText(action: string, subject: string): string {
  const label = action === 'setting.changed' && Object.hasOwn(settings, subject) ? settings[subject] : undefined
  return label === undefined ? subject : t(label)
}

/**
 * A stored value in the reader's language; null: the sentence already contains it. An unknown code of a newer service is shown unchanged.
 */
export function valueText(action: string, subject: string, value: string): string | null {
  const read = Object.hasOwn(readers, action) ? readers[action] : undefined
  return read === undefined ? value : read(value, subject)
}

type Reader = (value: string, subject: string) => string | null

const role: Reader = (value) => tOrNull(`role.${value}`) ?? value
const events: Reader = (value) => listOf(value.split(' ').map((kind) => tOrNull(`notices.kind.${kind}`) ?? kind))

const readers: Readonly<Record<string, Reader>> = {
  'person.invited': role,
  'passkey.replaced': role,
  'person.joined': role,
  'person.removed': role,
  'person.changed': (value) => {
    const [name, last] = splitLast(value, ', ')
    return last === undefined ? name : `${name}, ${role(last, '')}`
  },
  'key.created': (value) => {
    const [kind, agent] = value.split(', agent ')
    if (agent !== undefined) return `${t('keys.agent')}: ${agent}`
    return tOrNull(`keys.kind.${kind}`) ?? value
  },
  'setting.changed': (value, subject) => {
    if (subject === 'latePayments') return tOrNull(`settings.late.${value}`) ?? value
    if (subject === 'publicReports') return t(value === 'true' ? 'system.yes' : 'system.no')
    return value
  },
  'noticeChannel.added': events,
  'noticeChannel.changed': events,
  'payment.ended': (value) => tOrNull(`status.${value}`) ?? value,
  'contracts.deployed': () => null,
  'payouts.retried': (value) => splitLast(value, ': ')[1] ?? value,
  'agentPolicy.changed': policyText,
  'agentPolicy.removed': policyText,
  'webhookEndpoint.changed': endpointText,
  'webhookEndpoint.created': endpointText,
  'webhookEndpoint.removed': endpointText,
}

type Terms = {
  maxPerTransaction: string | null
  dailyBudget: string | null
  monthlyBudget: string | null
  allowedNetworks: string[] | null
  allowedCurrencies: string[] | null
  autonomousAllowed: boolean
  expiresAt: string | null
}
type Endpoint = { url: string; eventTypes: string[] | null; enabled: boolean }

function policyText(value: string): string {
  const terms = parsed<Terms>(value)
  if (terms === null) return value
  const amount = (limit: string | null) => (limit === null ? t('agents.noLimit') : formatAmount(limit))
  const names = (list: string[] | null) => (list === null ? t('ops.all') : listOf(list))
  return [
    `${t('agents.perPayment')}: ${amount(terms.maxPerTransaction)}`,
    `${t('agents.today')}: ${amount(terms.dailyBudget)}`,
    `${t('agents.month')}: ${amount(terms.monthlyBudget)}`,
    `${t('agents.networks')}: ${names(terms.allowedNetworks)}`,
    `${t('ops.token')}: ${names(terms.allowedCurrencies)}`,
    `${t('agents.autonomous')}: ${terms.autonomousAllowed ? t('agents.allowed') : t('agents.refused')}`,
    `${t('agents.expires')}: ${terms.expiresAt === null ? t('agents.never') : formatTime(terms.expiresAt)}`,
  ].join(' · ')
}

function endpointText(value: string): string {
  const endpoint = parsed<Endpoint>(value)
  if (endpoint === null) return value
  const { url, eventTypes, enabled } = endpoint
  const types = eventTypes === null ? t('webhooks.allEvents') : listOf(eventTypes)
  return [url, types, t(enabled ? 'webhooks.enabled' : 'webhooks.off.merchant')].join(' · ')
}

/** Null if the stored text was truncated, which makes it invalid JSON. */
function parsed<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value
  } catch {
    return null
  }
}

const listOf = (names: readonly string[]): string => names.join(', ')

function splitLast(text: string, separator: string): [string, string | undefined] {
  const at = text.lastIndexOf(separator)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
