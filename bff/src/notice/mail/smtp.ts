import { createTransport } from 'nodemailer'
import { withTimeout } from '../../core/with-timeout.ts'
import type { MailSettings } from './mail-settings.ts'

/** One message. Its texts may come from strangers: the transport encodes them, so that none can start a header. */
export type Mail = {
  /** One address. */
  to: string
  /** Shown as the sender's name. */
  fromName: string
  subject: string
  text: string
  html: string
  /** The same for every attempt, so that a mailbox can recognize a repeat. */
  messageId: string
  /** Where a mail program unsubscribes with one request (RFC 8058); null when there is nothing to unsubscribe from. */
  stopUrl: string | null
}

/** `isFinal`: another attempt would be refused too. `error` never contains an address or text from the server. */
export type SendResult = { isSent: true } | { isSent: false; isFinal: boolean; error: string }

export type SendMail = (mail: Mail) => Promise<SendResult>

const connectMs = 10_000
/** For each response of the server: some scan a message before they accept it. */
const answerMs = 30_000
/** For a message in total: a server that sends a byte now and then never exceeds the other timeouts. */
const totalMs = 2 * 60_000

const permanent = 500
/** The recipient or content is rejected for good. A failed login (535) is not permanent: the operator can repair it. */
const isPermanent = (code: number | undefined): boolean => code !== undefined && code >= permanent && code !== 535

/** Sends over SMTP, one connection for each message. Never throws. */
export function createSendMail(settings: MailSettings, timeoutMs = totalMs): SendMail {
  const transport = openTransport(settings)
  return async ({ to, fromName, stopUrl, ...mail }) => {
    try {
      const send = (signal: AbortSignal) =>
        transport.sendMail({
          ...mail,
          signal,
          // As objects, because a list in one text would be parsed as several addresses.
          to: { name: '', address: to },
          from: { name: fromName, address: settings.from },
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(stopUrl !== null && {
              'List-Unsubscribe': `<${stopUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
        })
      await withTimeout(timeoutMs, [], send)
      return { isSent: true }
    } catch (error) {
      const { code, responseCode } = error as { code?: string; responseCode?: number }
      return {
        isSent: false,
        isFinal: isPermanent(responseCode),
        error: `${code ?? 'failed'} ${responseCode ?? ''}`.trim(),
      }
    }
  }
}

/** Connects and logs in without sending. @returns why it failed; null when it works. */
export async function verifyMail(settings: MailSettings): Promise<string | null> {
  try {
    await openTransport(settings).verify()
    return null
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    return `${code ?? 'failed'} ${responseCode ?? ''}`.trim()
  }
}

function openTransport({ host, port, isTls, isLocal, login }: MailSettings) {
  return createTransport({
    host,
    port,
    secure: isTls,
    requireTLS: !isTls && !isLocal,
    ...(isLocal && { tls: { rejectUnauthorized: false } }),
    ...(login && { auth: { user: login.user, pass: login.password } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
  })
}
