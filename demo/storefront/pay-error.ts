/** Why the test customer did not pay, for the person who asked. */
export class PayError extends Error {
  override readonly name = 'PayError'
  readonly status: 400 | 404 | 409 | 502 | 503

  constructor(status: PayError['status'], message: string) {
    super(message)
    this.status = status
  }
}
