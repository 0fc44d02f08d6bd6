import { Button, CloseButton, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { minuteMs, secondMs } from '../../../../../base/durations.ts'
import { useLoss } from '../../../components/losses.ts'
import { composer as words } from '../../../texts/en/composer.ts'
import { type Recording, recordedMsMax, startRecording } from './recording.ts'

/** Records a voice message from now on, and shows for how long. @param props.onEnd null: there is none */
export function Recorder({ onEnd }: { onEnd: (recorded: File | null) => void }) {
  const [recording, setRecording] = useState<Recording | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const end = useEffectEvent(onEnd)
  useLoss(recording !== null, words.loseRecording)
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const begin = async () => {
      const started = await startRecording(signal).catch(() => words.noMicrophone)
      if (signal.aborted) return
      if (typeof started === 'string') return setProblem(started)
      setRecording(started)
      const recorded = await started.recorded
      if (!signal.aborted) end(recorded)
    }
    void begin()
    return () => left.abort()
  }, [])
  const problemText = (
    <Text role="alert" size="sm" c="red">
      {problem}
    </Text>
  )
  return (
    <div className="composer-strip">
      {recording ? <Running recording={recording} /> : problemText}
      <CloseButton size="sm" aria-label={words.dropRecording} onClick={() => onEnd(null)} />
    </div>
  )
}

function Running({ recording }: { recording: Recording }) {
  const [startedAt] = useState(() => performance.now())
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), secondMs / 4)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="composer-file">
      <Text size="sm" role="status" className="recording">
        {words.recording}
      </Text>
      <Text size="sm" role="timer" aria-label={words.recording}>
        {clock(now - startedAt)} / {clock(recordedMsMax)}
      </Text>
      <Button size="xs" autoFocus onClick={recording.stop}>
        {words.stopRecording}
      </Button>
    </div>
  )
}

/** `1:05` */
const clock = (ms: number) =>
  `${Math.floor(ms / minuteMs)}:${String(Math.floor((ms % minuteMs) / secondMs)).padStart(2, '0')}`
