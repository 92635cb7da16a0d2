import { createTransport } from 'nodemailer'
import type { MailSettings } from './mail-settings.ts'

/** One message. Texts may come from strangers: the transport encodes them, so that none can begin a header. */
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
  /** Where a mail program ends these messages by one request (RFC 8058); null: nothing to end. */
  stopUrl: string | null
}

/** `isFinal`: another attempt would be refused too. `error` never holds an address or a text of the server. */
export type SendResult = { isSent: true } | { isSent: false; isFinal: boolean; error: string }

export type SendMail = (mail: Mail) => Promise<SendResult>

const connectMs = 10_000
/** For each answer of the server: some scan a message before they take it. */
const answerMs = 30_000

const permanent = 500
/** Rejected recipient or content; a login that fails (535) may be repaired by the operator. */
const isPermanent = (code: number | undefined): boolean => code !== undefined && code >= permanent && code !== 535

/** Sends over SMTP, one connection for each message. Never throws. */
export function createSendMail(settings: MailSettings): SendMail {
  const transport = openTransport(settings)
  return async ({ to, fromName, stopUrl, ...mail }) => {
    try {
      await transport.sendMail({
        ...mail,
        // As objects: a list in one text would be several addresses.
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

/** Connects and logs in without sending. @returns why it failed; null: it works. */
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
