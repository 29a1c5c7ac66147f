//! Programs on a pseudo-terminal, where they behave as they do in front of a user.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;

use rustix::pty::{OpenptFlags, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// A terminal of 24 lines and 100 columns.
pub struct Terminal {
    /// The user's side: what is written here is typed, what is read here is shown.
    user: File,
    /// The program's side.
    program: File,
}

/// The result of a program on its terminal.
#[derive(Debug)]
pub struct Session {
    /// How the program ended.
    pub status: ExitStatus,
    /// Everything that was shown, with line ends as the terminal received them.
    pub shown: String,
}

impl Terminal {
    /// Opens a terminal on which nothing runs yet.
    pub fn open() -> io::Result<Terminal> {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let user = openpt(flags)?;
        unlockpt(&user)?;
        let program = File::from(ioctl_tiocgptpeer(&user, flags)?);
        tcsetwinsize(&program, Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 })?;
        Ok(Terminal { user: user.into(), program })
    }

    /// A stream for a program, connected to the terminal.
    pub fn stream(&self) -> io::Result<Stdio> {
        Ok(self.program.try_clone()?.into())
    }

    /// Runs a program whose streams are already connected, types `keys`, and waits for its end.
    pub fn run(self, command: &mut Command, keys: &[u8]) -> io::Result<Session> {
        let Terminal { mut user, program } = self;
        let mut child: Child = command.spawn()?;
        // Reading ends when every copy of the program's side is closed, and the command still holds some.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        drop(program);
        user.write_all(keys)?;
        let screen = thread::spawn(move || {
            let mut shown = Vec::new();
            // Linux reports the end as an input/output error.
            let _ = user.read_to_end(&mut shown);
            shown
        });
        let status = child.wait()?;
        let shown = screen.join().map_err(|_| io::Error::other("the screen was not read"))?;
        Ok(Session { status, shown: String::from_utf8_lossy(&shown).into_owned() })
    }
}
