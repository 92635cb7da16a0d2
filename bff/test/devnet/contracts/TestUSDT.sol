// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title Ethereum's USDT with public minting
/// @notice For local chains only: anyone may mint.
/// @dev Deliberately deviates from ERC-20, like the original: `transfer`, `transferFrom` and `approve` return nothing,
/// an allowance must be 0 before it changes, the owner can enable a fee, and only the sender's blacklisting stops a
/// transfer.
contract TestUSDT is Ownable, Pausable {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event Params(uint256 feeBasisPoints, uint256 maxFee);
    event AddedBlackList(address account);
    event RemovedBlackList(address account);
    event DestroyedBlackFunds(address account, uint256 balance);

    /// @dev The original's limits: at most 0.2 % and 50 tokens.
    uint256 public constant MAX_SETTABLE_BASIS_POINTS = 20;
    uint256 public constant MAX_SETTABLE_FEE = 50;

    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    uint256 public totalSupply;
    uint256 public basisPointsRate;
    /// @notice Maximum fee per transfer, in base units.
    uint256 public maximumFee;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    mapping(address account => bool) public isBlackListed;

    constructor() Ownable(msg.sender) {}

    /// @notice Mints tokens for anyone.
    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function transfer(address to, uint256 value) external whenNotPaused {
        _transfer(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external whenNotPaused {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value);
        if (allowed < type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _transfer(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    /// @notice Sets the transfer fee; it goes to the owner.
    /// @param newMaxFee Maximum in whole tokens
    function setParams(uint256 newBasisPoints, uint256 newMaxFee) external onlyOwner {
        require(newBasisPoints < MAX_SETTABLE_BASIS_POINTS);
        require(newMaxFee < MAX_SETTABLE_FEE);
        basisPointsRate = newBasisPoints;
        maximumFee = newMaxFee * 10 ** decimals;
        emit Params(basisPointsRate, maximumFee);
    }

    function pause() external onlyOwner {
        _pause();
    }

    function unpause() external onlyOwner {
        _unpause();
    }

    function addBlackList(address account) external onlyOwner {
        isBlackListed[account] = true;
        emit AddedBlackList(account);
    }

    function removeBlackList(address account) external onlyOwner {
        isBlackListed[account] = false;
        emit RemovedBlackList(account);
    }

    function destroyBlackFunds(address account) external onlyOwner {
        require(isBlackListed[account]);
        uint256 balance = balanceOf[account];
        balanceOf[account] = 0;
        totalSupply -= balance;
        emit DestroyedBlackFunds(account, balance);
    }

    function _transfer(address from, address to, uint256 value) private {
        require(!isBlackListed[from]);
        uint256 fee = value * basisPointsRate / 10_000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(from, to, value - fee);
        if (fee == 0) return;
        balanceOf[owner()] += fee;
        emit Transfer(from, owner(), fee);
    }
}
