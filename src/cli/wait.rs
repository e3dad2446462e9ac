//! Waiting for Hermes without leaving a person in the dark.

use std::time::Duration;

use crate::engine::text::visible;
use crate::sources::open::OpenRequest;
use crate::sources::sidecar;

use super::printer::Printer;

/// Longer than Hermes usually takes.
const PATIENCE: Duration = Duration::from_secs(2);

/// Waits for an answer, and says once for what when it takes long.
pub(super) async fn saying<T>(request: &OpenRequest, printer: &mut Printer, answer: impl Future<Output = T>) -> T {
    tokio::pin!(answer);
    tokio::select! {
        answer = &mut answer => return answer,
        () = tokio::time::sleep(PATIENCE) => {}
    }
    let python = sidecar::locate(&request.hermes).map(|found| found.python.display().to_string()).unwrap_or_default();
    printer.note(&format!(
        "waiting for Hermes ({}) to say what exists; a plugin or check of it may take long; ctrl-c ends this",
        visible(&python)
    ));
    answer.await
}
