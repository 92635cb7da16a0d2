// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "solady/src/utils/ECDSA.sol";

/// @title The test wallet's smart account: atomic batches of calls
/// @notice For local chains only. Its owner is an externally owned account, which sends the transaction and pays for
/// it.
contract TestSmartAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    bytes4 private constant MAGIC = 0x1626ba7e;

    error NotOwner(address caller, address owner);

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    /// @notice Whether the owner has signed for this account (ERC-1271). The signature contains this account's address
    /// before the owner's signature, because signatures of real smart accounts are longer than those of keys.
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 85 || address(bytes20(signature[:20])) != address(this)) return 0xffffffff;
        return ECDSA.tryRecoverCalldata(hash, signature[20:]) == owner ? MAGIC : bytes4(0xffffffff);
    }

    /// @dev A failing call reverts everything, with its own reason.
    function execute(Call[] calldata calls) external {
        if (msg.sender != owner) revert NotOwner(msg.sender, owner);
        for (uint256 i = 0; i < calls.length; ++i) {
            (bool isDone, bytes memory answer) = calls[i].to.call{value: calls[i].value}(calls[i].data);
            if (isDone) continue;
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}
