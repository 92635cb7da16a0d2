/** Whether nobody else can read or change what is sent: https, or http within this machine. */
export const isSafeUrl = (url: string): boolean =>
  /^https:\/\//i.test(url) || /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?([/?#]|$)/i.test(url)
