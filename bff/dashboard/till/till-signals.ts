/** Two rising tones, half a second: heard in a shop, and no file to load. */
const tones = [
  { hertz: 880, atSeconds: 0 },
  { hertz: 1_318.5, atSeconds: 0.16 },
] as const
const toneSeconds = 0.32
const loudness = 0.35

let audio: AudioContext | null = null

/** Browsers allow sound only after a tap: call in the handler of one. */
export function allowSound(): void {
  audio ??= new AudioContext()
  void audio.resume().catch(() => {})
}

/** Does nothing where the browser plays no sound. */
export function playPaid(): void {
  if (!audio) return
  for (const { hertz, atSeconds } of tones) {
    const tone = new OscillatorNode(audio, { frequency: hertz, type: 'sine' })
    const volume = new GainNode(audio, { gain: 0 })
    const from = audio.currentTime + atSeconds
    volume.gain.setValueAtTime(loudness, from)
    volume.gain.exponentialRampToValueAtTime(0.001, from + toneSeconds)
    tone.connect(volume).connect(audio.destination)
    tone.start(from)
    tone.stop(from + toneSeconds)
  }
}

/** Keeps the screen on while the till is shown, where the browser can. The browser ends it when the page is hidden. */
export function keepAwake(): void {
  const ask = () => {
    if (document.visibilityState === 'visible') void navigator.wakeLock?.request('screen').catch(() => {})
  }
  ask()
  document.addEventListener('visibilitychange', ask)
}
