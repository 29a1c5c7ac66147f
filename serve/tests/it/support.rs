//! A separate server for every test, and a plain HTTP client.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::net::TcpSocket;

/// The shipped tables.
pub fn shipped_tables() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables")
}

/// A running server. It is killed when dropped.
pub struct Server {
    process: Child,
    pub address: SocketAddr,
}

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The error message: the line if there is one, what is wrong, and the remedy.
    pub fn error(&self) -> String {
        let error = &self.json()["error"];
        let line = error["line"].as_u64().map_or(String::new(), |line| format!("{line}: "));
        format!("{line}{}, {}", error["what"].as_str().unwrap(), error["remedy"].as_str().unwrap())
    }
}

impl Server {
    pub fn start() -> Server {
        Server::with(&shipped_tables(), &[])
    }

    pub fn with(tables: &Path, arguments: &[&str]) -> Server {
        Server::logging_to(Stdio::null(), tables, arguments)
    }

    /// A server with this standard error.
    pub fn logging_to(log: impl Into<Stdio>, tables: &Path, arguments: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_tabletop-serve"))
            .args(["--bind", "127.0.0.1:0", "--tables"])
            .arg(tables)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").and_then(|rest| rest.strip_suffix('/'));
        let address = address.unwrap_or_else(|| panic!("no address in {line:?}")).parse().unwrap();
        Server { process, address }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    pub fn get(&self, path: &str) -> Response {
        self.send("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: impl AsRef<[u8]>) -> Response {
        self.send("POST", path, &[], body.as_ref())
    }

    pub fn ask(&self, game: &str, input: &str) -> Response {
        self.get(&format!("/api/{game}?input={}", encode(input)))
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let mut stream = self.connect();
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        stream.write_all(format!("{head}\r\n").as_bytes()).unwrap();
        // The server may close the connection before it has read a body that is too long.
        let _ = stream.write_all(body);
        read_response(&mut BufReader::new(stream))
    }

    pub fn process(&mut self) -> &mut Child {
        &mut self.process
    }

    /// The resident memory of the process in bytes.
    pub fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }

    /// The value of a metric, given by its name and label.
    pub fn metric(&self, name: &str) -> f64 {
        let metrics = self.get("/metrics");
        let mut values = metrics.text().lines().filter_map(|line| line.rsplit_once(' '));
        let value = values.find(|(known, _)| *known == name).map(|(_, value)| value.parse().unwrap());
        value.unwrap_or_else(|| panic!("no metric is called {name}"))
    }

    /// A connection from an address of this machine, such as 127.0.0.2.
    pub fn connect_from(&self, client: Ipv4Addr) -> TcpStream {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        let stream = runtime.block_on(async {
            let socket = TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::from((client, 0))).unwrap();
            socket.connect(self.address).await.unwrap().into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Waits until a condition holds, for at most a minute.
#[track_caller]
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < end, "{what} within a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Reads a response with a length, with chunks, or up to the end of the connection.
pub fn read_response(stream: &mut impl BufRead) -> Response {
    let mut line = String::new();
    stream.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no status in {line:?}")).parse().unwrap();
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let mut body = Vec::new();
    if let Some(length) = headers.get("content-length") {
        body = vec![0; length.parse().unwrap()];
        stream.read_exact(&mut body).unwrap();
    } else if headers.contains_key("transfer-encoding") {
        loop {
            let mut size = String::new();
            stream.read_line(&mut size).unwrap();
            let mut chunk = vec![0; usize::from_str_radix(size.trim(), 16).unwrap() + 2];
            stream.read_exact(&mut chunk).unwrap();
            if chunk.len() == 2 {
                break;
            }
            body.extend_from_slice(&chunk[..chunk.len() - 2]);
        }
    } else {
        stream.read_to_end(&mut body).unwrap();
    }
    Response { status, headers, body }
}

/// Percent-encodes a text as a query value.
pub fn encode(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}
