/** The test customer's error, for the user. */
export class PayError extends Error {
  override readonly name = 'PayError'
  readonly status: 400 | 404 | 409 | 502 | 503

  constructor(status: PayError['status'], message: string) {
    super(message)
    this.status = status
  }
}
