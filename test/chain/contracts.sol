// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

// Contracts for tests on a local chain. `contracts.json` has the bytecode, which this command writes:
//   npx --package solc@0.8.37 solcjs --optimize --bin --output-dir build test/chain/contracts.sol

/// A token with six decimals and the functions of USDC that payments use: ERC-20, and ERC-3009 with random nonces.
contract TestToken {
  string public constant name = "USD Coin";
  string public constant version = "2";
  string public constant symbol = "USDC";
  uint8 public constant decimals = 6;

  bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH =
    keccak256("TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)");
  bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH = keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");

  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(bytes32 => bool)) public authorizationState;

  event Transfer(address indexed from, address indexed to, uint256 value);
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
  event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);

  function mint(address to, uint256 value) external {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function transfer(address to, uint256 value) external returns (bool) {
    move(msg.sender, to, value);
    return true;
  }

  /// Two transfers in one transaction.
  function transferTwice(address to, uint256 value) external {
    move(msg.sender, to, value);
    move(msg.sender, to, value);
  }

  function DOMAIN_SEPARATOR() public view returns (bytes32) {
    return keccak256(
      abi.encode(
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
        keccak256(bytes(name)),
        keccak256(bytes(version)),
        block.chainid,
        address(this)
      )
    );
  }

  function transferWithAuthorization(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s
  ) external {
    transferSigned(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
  }

  function transferWithAuthorization(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes memory signature
  ) external {
    transferSigned(from, to, value, validAfter, validBefore, nonce, signature);
  }

  function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
    require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
    requireSignature(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), abi.encodePacked(r, s, v));
    authorizationState[authorizer][nonce] = true;
    emit AuthorizationCanceled(authorizer, nonce);
  }

  function transferSigned(
    address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes memory signature
  ) private {
    require(block.timestamp > validAfter, "FiatTokenV2: authorization is not yet valid");
    require(block.timestamp < validBefore, "FiatTokenV2: authorization is expired");
    require(!authorizationState[from][nonce], "FiatTokenV2: authorization is used or canceled");
    bytes32 content = keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
    requireSignature(from, content, signature);
    authorizationState[from][nonce] = true;
    emit AuthorizationUsed(from, nonce);
    move(from, to, value);
  }

  function requireSignature(address signer, bytes32 content, bytes memory signature) private view {
    bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), content));
    if (signer.code.length > 0) {
      require(TestWallet(signer).isValidSignature(digest, signature) == 0x1626ba7e, "FiatTokenV2: invalid signature");
    } else {
      require(recover(digest, signature) == signer, "FiatTokenV2: invalid signature");
    }
  }

  function recover(bytes32 digest, bytes memory signature) internal pure returns (address) {
    require(signature.length == 65, "ECRecover: invalid signature length");
    bytes32 r;
    bytes32 s;
    uint8 v;
    assembly {
      r := mload(add(signature, 32))
      s := mload(add(signature, 64))
      v := byte(0, mload(add(signature, 96)))
    }
    address signer = ecrecover(digest, v, r, s);
    require(signer != address(0), "ECRecover: invalid signature");
    return signer;
  }

  function move(address from, address to, uint256 value) private {
    require(balanceOf[from] >= value, "ERC20: transfer amount exceeds balance");
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
  }
}

/// A wallet that is a contract (EIP-1271). Its owner signs for it.
contract TestWallet {
  address public immutable owner;

  constructor(address owner_) {
    owner = owner_;
  }

  function isValidSignature(bytes32 digest, bytes memory signature) external view returns (bytes4) {
    if (signature.length != 65) return 0xffffffff;
    bytes32 r;
    bytes32 s;
    uint8 v;
    assembly {
      r := mload(add(signature, 32))
      s := mload(add(signature, 64))
      v := byte(0, mload(add(signature, 96)))
    }
    return ecrecover(digest, v, r, s) == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
  }
}
