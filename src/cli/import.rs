//! `vehicle-catalogue import`: stores the vehicles of a file.

mod failure;
mod source;

pub use self::failure::{ImportFailure, Resume};
use self::source::{Rows, Source};
use super::{Failure, progress::Progress, serve::StopSignals, tables};
use crate::{
    config::{ImportArguments, OnBadRow, Place, Settings},
    store::{Bulk, Commit, Keyed, OnTaken, StoreError},
    transfer::{BadRow, Row},
};

pub(super) async fn run(arguments: ImportArguments, settings: &Settings) -> Result<(), Failure> {
    let mut stop = StopSignals::listen().map_err(Failure::Signal)?;
    let name = match &arguments.file {
        Place::Standard => "stdin".to_owned(),
        Place::File(path) => path.display().to_string(),
    };
    let mut source =
        Source::open(&arguments).map_err(|error| ImportFailure::Open(name.clone(), error))?;
    let (store, bulk) = if arguments.dry_run {
        (None, None)
    } else {
        let store = tables::open(settings, settings.migrate).await?;
        let commit = if arguments.all_or_nothing {
            Commit::AtEnd
        } else {
            Commit::EachBatch
        };
        let bulk = store.bulk(commit).await.map_err(Failure::Database)?;
        (Some(store), Some(bulk))
    };
    let mut import = Import {
        progress: source
            .size_bytes
            .map_or_else(Progress::endless, Progress::to),
        tally: Tally {
            done: arguments.skip_rows,
            ..Tally::default()
        },
        name,
        bulk,
        arguments,
    };
    let outcome = import.rows(&mut source, &mut stop).await;
    // What is not committed is taken back, which gives its connection back.
    import.bulk = None;
    import.sum_up(outcome.as_ref().err());
    if let Some(store) = store {
        tables::close(&store, settings).await;
    }
    Ok(outcome?)
}

/// What has become of the rows so far.
#[derive(Default)]
struct Tally {
    /// How many rows, from the first of the file, have been dealt with for good.
    done: u64,
    sound: u64,
    stored: u64,
    present: u64,
    refused: u64,
}

struct Import {
    arguments: ImportArguments,
    name: String,
    /// Where the rows go, unless this is only a rehearsal.
    bulk: Option<Bulk>,
    tally: Tally,
    progress: Progress,
}

impl Import {
    async fn rows(
        &mut self,
        source: &mut Source,
        stop: &mut StopSignals,
    ) -> Result<(), ImportFailure> {
        loop {
            let rows = tokio::select! {
                biased;
                _ = stop.next() => return Err(ImportFailure::Interrupted(self.resume())),
                rows = source.next() => rows,
            };
            match rows {
                None => break,
                Some(Ok(rows)) => self.batch(rows).await?,
                Some(Err(source)) => {
                    return Err(ImportFailure::Unreadable {
                        file: self.name.clone(),
                        resume: self.resume(),
                        source,
                    });
                }
            }
            let rows = format!("{} rows", self.tally.done);
            self.progress.show(source.read_bytes(), rows);
        }
        if let Some(bulk) = self.bulk.take() {
            let outcome = bulk.finish().await;
            outcome.map_err(|source| self.not_finished(source))?;
        }
        match self.tally.refused {
            0 => Ok(()),
            refused => Err(ImportFailure::RowsRefused(refused)),
        }
    }

    async fn batch(&mut self, rows: Rows) -> Result<(), ImportFailure> {
        let covered = rows.len();
        let mut sound = Vec::with_capacity(covered);
        for row in rows {
            match row {
                Ok(row) => sound.push(row),
                Err(bad) if self.stops() => {
                    let covered = sound.len();
                    self.store(sound, covered).await?;
                    self.refuse(&bad);
                    return Err(self.stopped(bad.line));
                }
                Err(bad) => self.refuse(&bad),
            }
        }
        self.store(sound, covered).await
    }

    /// Stores the sound ones of the next `covered` rows of the file; where the import stops at a bad
    /// row, they are all sound.
    async fn store(&mut self, rows: Vec<Row>, covered: usize) -> Result<(), ImportFailure> {
        self.tally.sound += rows.len() as u64;
        if let Some(bulk) = self.bulk.as_ref().filter(|_| !rows.is_empty()) {
            let on_taken = match self.arguments.on_error {
                OnBadRow::Stop => OnTaken::Stop,
                OnBadRow::Skip => OnTaken::Skip,
            };
            let lines: Vec<_> = rows.iter().map(|row| row.line).collect();
            let batch: Vec<Keyed> = rows.into_iter().map(|row| (row.id, row.vehicle)).collect();
            let outcome = bulk.store(&batch, on_taken).await;
            let outcome = outcome.map_err(|source| self.not_stored(source, &lines, covered))?;
            self.tally.stored += outcome.stored;
            self.tally.present += outcome.present;
            for &place in &outcome.taken {
                let reason = "id must not be that of another vehicle, and one is stored under it";
                self.refuse(&BadRow::new(lines[place], reason));
            }
            if let (true, Some(&place)) = (self.stops(), outcome.taken.first()) {
                self.tally.done += place as u64;
                return Err(self.stopped(lines[place]));
            }
        }
        self.tally.done += covered as u64;
        Ok(())
    }

    fn not_stored(&self, error: StoreError, lines: &[u64], covered: usize) -> ImportFailure {
        let resume = self.resume();
        match (&error, lines) {
            (StoreError::OutcomeUnknown(_), [first, ..]) if !resume.all_or_nothing => {
                ImportFailure::InDoubt {
                    last: resume.done + covered as u64,
                    lines: (*first, *lines.last().unwrap_or(first)),
                    resume,
                    source: error.into(),
                }
            }
            // A part of a transaction that was not committed is certainly not stored.
            _ => ImportFailure::NotStored {
                resume,
                source: error.into(),
            },
        }
    }

    fn not_finished(&self, error: StoreError) -> ImportFailure {
        let resume = self.resume();
        match error {
            StoreError::OutcomeUnknown(_) => ImportFailure::WholeInDoubt(error.into()),
            error => ImportFailure::NotStored {
                resume,
                source: error.into(),
            },
        }
    }

    fn stops(&self) -> bool {
        self.arguments.on_error == OnBadRow::Stop && !self.arguments.dry_run
    }

    fn refuse(&mut self, bad: &BadRow) {
        self.tally.refused += 1;
        self.progress
            .say(&format!("{}:{}: {bad}", self.name, bad.line));
    }

    fn resume(&self) -> Resume {
        Resume {
            done: self.tally.done,
            all_or_nothing: self.arguments.all_or_nothing,
        }
    }

    fn stopped(&self, line: u64) -> ImportFailure {
        ImportFailure::Stopped {
            line,
            resume: self.resume(),
        }
    }

    /// The last line: what has become of the rows.
    fn sum_up(&self, failure: Option<&ImportFailure>) {
        let Tally {
            sound,
            present,
            refused,
            ..
        } = self.tally;
        let is_stored = match failure {
            // Nobody knows what to count.
            Some(ImportFailure::WholeInDoubt(_)) => return,
            None | Some(ImportFailure::RowsRefused(_)) => true,
            Some(_) => !self.arguments.all_or_nothing,
        };
        let stored = if is_stored { self.tally.stored } else { 0 };
        let line = if self.arguments.dry_run {
            format!("rows: {sound} can be stored, {refused} cannot,")
        } else {
            format!("rows: {stored} stored, {present} were there already, {refused} refused,")
        };
        self.progress.end(&line, sound + refused);
    }
}
