import { SMTPServer } from 'smtp-server'

/** A message as a mailbox shows it. `headers`: unfolded, as sent. */
export type ReceivedMail = { to: string[]; subject: string; from: string; headers: string; text: string; html: string }

type Refusal = { at: 'recipient' | 'data' | 'done'; code: number }

export type MailServer = Awaited<ReturnType<typeof openMailServer>>

/** A real local SMTP server that keeps what it accepts. For tests. */
export async function openMailServer(login?: { user: string; password: string }) {
  const mails: ReceivedMail[] = []
  const refusals: Refusal[] = []
  let connections = 0
  const refused = (at: Refusal['at']): Error | undefined => {
    const [next] = refusals
    if (next?.at !== at) return undefined
    refusals.shift()
    return Object.assign(new Error('refused by the test'), { responseCode: next.code })
  }
  const server = new SMTPServer({
    disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    authOptional: login === undefined,
    onConnect: (_, done) => {
      connections += 1
      done()
    },
    onAuth: ({ username, password }, _, done) =>
      username === login?.user && password === login?.password
        ? done(null, { user: username ?? '' })
        : done(new Error('wrong login')),
    onRcptTo: (_, __, done) => done(refused('recipient')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = refused('data')
        if (refusal) return done(refusal)
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, ...parseMail(Buffer.concat(chunks).toString('latin1')) })
        // Accepted, but the client does not learn of it.
        done(refused('done'))
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    port,
    mails,
    connections: () => connections,
    /** Refuses the next message once, at that point. */
    refuse: (at: Refusal['at'], code: number) => refusals.push({ at, code }),
    settings: (from = 'shop@shop.example') => ({
      host: '127.0.0.1',
      port,
      isTls: false,
      isLocal: true,
      login: login ?? null,
      from,
    }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function parseMail(raw: string): Omit<ReceivedMail, 'to'> {
  const { headers, body } = split(raw)
  const boundary = /boundary="?([^";\r\n]+)"?/.exec(headers)?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')))
  const ofType = (type: string) => {
    const part = parts.find((one) => new RegExp(`content-type: ${type}`, 'i').test(one.headers))
    return part ? decode(part) : ''
  }
  const header = (name: string) => words(new RegExp(`^${name}: (.*)$`, 'im').exec(headers)?.[1] ?? '')
  return {
    subject: header('Subject'),
    from: header('From'),
    headers,
    text: ofType('text/plain'),
    html: ofType('text/html'),
  }
}

function split(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  return { headers: raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' '), body: raw.slice(end + 4) }
}

function decode({ headers, body }: { headers: string; body: string }): string {
  if (/transfer-encoding: base64/i.test(headers)) return Buffer.from(body, 'base64').toString()
  if (/transfer-encoding: quoted-printable/i.test(headers)) return bytes(body.replaceAll('=\r\n', ''), /=([\dA-F]{2})/g)
  return Buffer.from(body, 'latin1').toString()
}

const bytes = (text: string, escaped: RegExp): string =>
  Buffer.from(
    text.replaceAll(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

/** Encoded words of a header (RFC 2047). */
const words = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, encoded: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64').toString()
        : bytes(encoded.replaceAll('_', ' '), /=([\dA-F]{2})/g),
    )
