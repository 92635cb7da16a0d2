/** See `chrome.mjs`. */
export function chromePath(): Promise<{ executablePath: string; args: string[] }>
