import icon from '../../icon.svg'

/** Whether this browser shows notifications of the console; null: it has none, or none for a page without TLS. */
export const permission = () => (isSecureContext && 'Notification' in window ? Notification.permission : null)

/** @param tag a later one with it replaces it. @param onClick also brings the tab to the front */
export function show(title: string, body: string, tag: string, onClick: () => void): void {
  if (permission() !== 'granted') return
  try {
    const shown = new Notification(title, { body, tag, icon, silent: true })
    shown.onclick = () => {
      window.focus()
      onClick()
      shown.close()
    }
  } catch {
    // Chromium on telephones has them for installed pages alone.
  }
}

let audio: AudioContext | undefined

/** Two soft tones, which need no file. Silent in a tab in which nobody has clicked yet: browsers want it so. */
export function ring(): void {
  audio ??= new AudioContext()
  void audio.resume()
  const begin = audio.currentTime
  const [tone, volume] = [audio.createOscillator(), audio.createGain()]
  tone.frequency.setValueAtTime(880, begin)
  tone.frequency.setValueAtTime(660, begin + 0.12)
  volume.gain.setValueAtTime(0.2, begin)
  volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.45)
  tone.connect(volume).connect(audio.destination)
  tone.start(begin)
  tone.stop(begin + 0.45)
}
