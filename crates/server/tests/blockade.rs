use memoir_testkit::TestServer;
use rusqlite::Connection;

/// Another process that holds the store's write lock: whatever is written meanwhile waits.
pub(crate) struct Blockade(Connection);

impl Blockade {
    pub(crate) fn hold(server: &TestServer) -> Self {
        let connection = Connection::open(server.memoir.path()).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        Blockade(connection)
    }

    pub(crate) fn lift(self) {
        self.0.execute_batch("COMMIT").unwrap();
    }
}
